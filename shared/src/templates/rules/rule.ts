import { z } from 'zod'
import { whyNotRegex } from './safe-regex.ts'

/** Rules without an argument. */
export const BARE_RULES = [
  'required',
  'nullable',
  'present',
  'filled',
  'sometimes',
  'string',
  'boolean',
  'accepted',
  'numeric',
  'integer',
  'alpha',
  'alpha_num',
  'alpha_dash',
  'ascii',
  'lowercase',
  'uppercase',
  'url',
  'email',
  'ip',
  'ipv4',
  'ipv6',
  'uuid',
  'json',
] as const

/** Rules with one number: it compares the value of numeric variables, else the length in characters. */
export const NUMBER_RULES = ['min', 'max', 'size', 'gt', 'gte', 'lt', 'lte'] as const

/** Rules about the number of decimal digits. */
export const DIGIT_RULES = ['digits', 'min_digits', 'max_digits'] as const

/** Rules with a list of texts. */
export const LIST_RULES = [
  'in',
  'not_in',
  'starts_with',
  'doesnt_start_with',
  'ends_with',
  'doesnt_end_with',
] as const

const Count = z.int().min(0).max(100_000)

const RegexRule = z
  .strictObject({
    rule: z.enum(['regex', 'not_regex']),
    /** An RE2 expression without delimiters. */
    pattern: z.string().min(1).max(1024),
    /** `i`: either case, `m`: ^ and $ at lines, `s`: the dot matches a line end too, `u`: ignored. */
    flags: z.string().regex(/^[imsu]{0,4}$/),
    /** The expression needs look-around or back-references: kept for export, never evaluated. */
    unchecked: z.literal(true).optional(),
  })
  .superRefine((rule, context) => {
    const fault = rule.unchecked ? undefined : whyNotRegex(rule.pattern, rule.flags)
    if (fault) context.addIssue({ code: 'custom', path: ['pattern'], message: fault })
  })

/** One requirement on the value of a variable. */
export const Rule = z.union([
  z.strictObject({ rule: z.enum(BARE_RULES) }),
  z.strictObject({ rule: z.enum(NUMBER_RULES), value: z.number() }),
  z.strictObject({ rule: z.enum(DIGIT_RULES), value: Count }),
  z.strictObject({ rule: z.literal('between'), min: z.number(), max: z.number() }),
  z.strictObject({ rule: z.literal('digits_between'), min: Count, max: Count }),
  z.strictObject({
    rule: z.enum(LIST_RULES),
    values: z.array(z.string().max(1024)).min(1).max(500),
  }),
  RegexRule,
])
export type Rule = z.infer<typeof Rule>
