import { z } from 'zod'

// The settings of a plugin: a form described by a part of JSON Schema (2020-12) that contains neither
// patterns nor references, so that what a stranger wrote can be checked in bounded time.

const about = {
  title: z.string().min(1).max(80),
  description: z.string().max(500).optional(),
}

const TextProperty = z.strictObject({
  ...about,
  type: z.literal('string'),
  enum: z.array(z.string().max(200)).min(1).max(50).optional(),
  minLength: z.int().min(0).max(20_000).optional(),
  maxLength: z.int().min(1).max(20_000).optional(),
  /** `multiline` is ours; the others are JSON Schema's. */
  format: z.enum(['email', 'uri', 'multiline']).optional(),
  default: z.string().max(20_000).optional(),
  /** Never shown again once saved. */
  secret: z.boolean().optional(),
})
const NumberProperty = z.strictObject({
  ...about,
  type: z.literal('integer'),
  minimum: z.int().optional(),
  maximum: z.int().optional(),
  default: z.int().optional(),
})
const FlagProperty = z.strictObject({
  ...about,
  type: z.literal('boolean'),
  default: z.boolean().optional(),
})
const Property = z.discriminatedUnion('type', [TextProperty, NumberProperty, FlagProperty])
export type SettingProperty = z.infer<typeof Property>

const Name = z
  .string()
  .regex(/^[a-z][a-zA-Z0-9]{0,39}$/)
  // Every object seems to have a setting of such a name.
  .refine((name) => !(name in Object.prototype), 'is not possible')

export const SettingsForm = z.strictObject({
  type: z.literal('object'),
  properties: z
    .record(Name, Property)
    .refine((all) => Object.keys(all).length <= 40, 'has more than 40 settings'),
  required: z.array(Name).max(40).optional(),
})
export type SettingsForm = z.infer<typeof SettingsForm>

export const SettingValue = z.union([z.string().max(20_000), z.int(), z.boolean()])
export const SettingValues = z.record(Name, SettingValue)
export type SettingValues = z.infer<typeof SettingValues>

/** The schema of what one setting may be. */
function schemaOf(property: SettingProperty): z.ZodType<string | number | boolean> {
  if (property.type === 'boolean') return z.boolean()
  if (property.type === 'integer')
    return z
      .int()
      .min(property.minimum ?? Number.MIN_SAFE_INTEGER)
      .max(property.maximum ?? Number.MAX_SAFE_INTEGER)
  if (property.enum) return z.enum(property.enum)
  const text =
    property.format === 'email'
      ? z.email()
      : property.format === 'uri'
        ? z.url({ protocol: /^https$/ })
        : z.string()
  return text.min(property.minLength ?? 0).max(property.maxLength ?? 20_000)
}

/** The schema of the settings that a form asks for; unknown names are refused. */
export function settingsSchema(form: SettingsForm): z.ZodType<SettingValues> {
  const required = new Set(form.required)
  const entries = Object.entries(form.properties).map(([name, property]) => {
    const schema = schemaOf(property)
    return [name, required.has(name) ? schema : schema.optional()] as const
  })
  return z.strictObject(Object.fromEntries(entries)) as unknown as z.ZodType<SettingValues>
}

/** What settings are before anybody saved them. */
export const initialSettings = (form: SettingsForm): SettingValues =>
  Object.fromEntries(
    Object.entries(form.properties).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )

/** The names of the settings that are never shown. */
export const secretsOf = (form: SettingsForm): string[] =>
  Object.entries(form.properties).flatMap(([name, property]) =>
    property.type === 'string' && property.secret ? [name] : [],
  )
