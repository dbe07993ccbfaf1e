import type { Language } from '@lodge/shared/words/languages.ts'
import { Liquid, type Template } from 'liquidjs'
import type { Mail } from '../../events/mails.ts'
import { invalid } from '../../http/input.ts'
import { contentToHtml, contentToText, layout, type MailPanel } from './layout.ts'
import { variablesOf } from './variables.ts'

export interface Wording {
  readonly language: Language
  readonly subject: string
  readonly body: string
  readonly html: string | null
}
export interface Rendered {
  readonly subject: string
  readonly text: string
  readonly html: string
}
/** Values by name; `panel` and `user` are groups. */
export interface MailValues {
  readonly panel: MailPanel
  readonly user: { readonly name: string; readonly email: string }
  readonly [name: string]: string | { readonly [key: string]: string }
}

const TAGS = ['if', 'unless', 'for', 'else', 'elsif']
const FILTERS = [
  'escape',
  'upcase',
  'downcase',
  'capitalize',
  'default',
  'join',
  'size',
  'truncate',
]

/** Variables, conditions and loops only; no files and no code, with limits on time and memory. */
function engine(outputEscape: boolean): Liquid {
  const made = new Liquid({
    ownPropertyOnly: true,
    // An empty value counts as unset, so `{% if user.name %}` fails for an account without a name.
    jsTruthy: true,
    strictFilters: true,
    parseLimit: 100_000,
    renderLimit: 200,
    memoryLimit: 1_000_000,
    ...(outputEscape && { outputEscape: 'escape' as const }),
  })
  for (const name of Object.keys(made.tags)) if (!TAGS.includes(name)) delete made.tags[name]
  for (const name of Object.keys(made.filters))
    if (!FILTERS.includes(name)) delete made.filters[name]
  return made
}
const plain = engine(false)
const escaping = engine(true)

/** Disallowed HTML in mail: scripts, frames, forms and links to them. */
const ACTIVE =
  /<\s*(script|iframe|object|embed|form|input|button|meta|link|base|svg|math)\b|\son\w+\s*=|(javascript|vbscript|data)\s*:/i

/** Refuses wording that does not parse, has active content or uses unknown variables. */
export function checkWording(mail: Mail, wording: Wording): void {
  const errors = (['subject', 'body', 'html'] as const).flatMap((field) => {
    const text = wording[field]
    if (text === null) return []
    const detail = faultOf(mail, text) ?? (field === 'html' ? activeFault(text) : undefined)
    return detail === undefined ? [] : [{ pointer: `/${field}`, detail }]
  })
  if (errors.length > 0) throw invalid(errors)
}

const activeFault = (html: string) =>
  ACTIVE.test(html) ? 'must not hold programs, forms, frames or their links' : undefined

function faultOf(mail: Mail, text: string): string | undefined {
  let parsed: Template[]
  try {
    parsed = plain.parse(text)
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'unknown'
    return `does not parse: ${message.slice(0, 200)}`
  }
  const allowed = variablesOf(mail)
  const unknown = plain
    .globalVariableSegmentsSync(parsed)
    .map((segments) => segments.map(String).join('.'))
    .filter((name) => !allowed.includes(name))
  if (unknown.length === 0) return undefined
  return `names the unknown ${[...new Set(unknown)].join(', ')}; allowed are ${allowed.join(', ')}`
}

/**
 * Subject, text and HTML of a mail. Values are escaped in HTML and cannot inject line breaks into
 * the subject.
 */
export function renderMail(wording: Wording, values: MailValues): Rendered {
  const subject = plain
    .parseAndRenderSync(wording.subject, values)
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 300)
  const content = plain.parseAndRenderSync(wording.body, values)
  const inner =
    wording.html === null
      ? contentToHtml(content, values.panel)
      : escaping.parseAndRenderSync(wording.html, values)
  return {
    subject,
    text: contentToText(content),
    html: layout(subject, inner, values.panel, wording.language),
  }
}
