import { isPublicAddress } from '@lodge/shared/addresses.ts'
import { REDACTION_RULES, type RedactionRule } from '@lodge/shared/support/diagnostics.ts'

/** Values that must be redacted although they look harmless, or kept although they look secret. */
interface Known {
  /** Values of secret variables. */
  readonly secrets: readonly string[]
  /** Addresses of the server itself. */
  readonly ownAddresses: readonly string[]
}

export type Redactions = Record<RedactionRule, number>

/** Shorter values would match parts of ordinary words. */
const SHORTEST_SECRET = 4
/** Longer lines are cut, to bound the time that patterns take. */
const LONGEST_LINE = 2000

const NAMES =
  'pass(?:word|wd|phrase)?|pwd|token|secret|api[_-]?key|private[_-]?key|access[_-]?key|key'
/** A pattern for each form of secret; `$1` of a match is kept. */
const SHAPES: readonly (readonly [RedactionRule, RegExp])[] = [
  // Headers are redacted up to the end of the line: the secret follows `Bearer`.
  [
    'header',
    /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key|x-auth-token)(["']?\s{0,4}[:=])[^\n]+/gi,
  ],
  ['token', /\b(bearer|basic|digest)( {1,4})[\w.~+/-]{6,}=*/gi],
  ['token', /()()\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g],
  ['token', /(https:\/\/(?:\w{1,20}\.)?discord(?:app)?\.com\/api\/webhooks\/)()\d+\/[\w-]+/gi],
  ['token', /(https:\/\/hooks\.slack\.com\/services\/)()[\w/-]+/gi],
  ['token', /()()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['token', /()()\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|whsec_|lodge_)[\w-]{10,}=*/g],
  ['key_or_password', /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,100}:)()[^\s@/]{1,200}(?=@)/gi],
  [
    'key_or_password',
    new RegExp(
      `((?:${NAMES}))(["']?\\s{0,4}[:=]\\s{0,4})(?!\\[redacted)(?:"[^"\\n]*"|'[^'\\n]*'|[^\\s,;&]+)`,
      'gi',
    ),
  ],
  ['email', /()()(?<![\w.+-])[\w.+-]+@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g],
]

const KEY_BEGINS = '-----BEGIN '
const KEY_ENDS = /-----END [A-Z0-9 ]{0,40}-----/g
const IPV4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)/g
const IPV6 = /(?<![\w:])(?=[\da-f:]*:[\da-f]*:)[\da-f:]{3,45}(?![\w:])/gi

const gone = (rule: RedactionRule): string => `[redacted ${rule.replaceAll('_', ' ')}]`

/** Redacts secrets, mail addresses and addresses of other machines in texts, and counts them. */
export class Redactor {
  readonly #known: Known
  readonly counts = Object.fromEntries(REDACTION_RULES.map((rule) => [rule, 0])) as Redactions

  constructor({ secrets, ownAddresses }: Known) {
    // Longest first: a secret may begin with another one.
    const long = secrets.filter(({ length }) => length >= SHORTEST_SECRET)
    this.#known = { secrets: long.sort((a, b) => b.length - a.length), ownAddresses }
  }

  /** The lines without secrets; a private key may span several lines. */
  lines(lines: readonly string[]): string[] {
    const cut = lines.map((line) => line.slice(0, LONGEST_LINE).replaceAll('\n', ' '))
    return this.text(cut.join('\n')).split('\n')
  }

  text(given: string): string {
    let text = given
    for (const secret of this.#known.secrets) {
      const parts = text.split(secret)
      this.counts.secret_variable += parts.length - 1
      text = parts.join(gone('secret_variable'))
    }
    text = this.#withoutKeys(text)
    for (const [rule, shape] of SHAPES)
      text = text.replaceAll(
        shape,
        (_all, kept: string, between: string) => `${kept}${between}${this.#count(rule)}`,
      )
    const address = (found: string) =>
      !isPublicAddress(found) || this.#known.ownAddresses.includes(found)
        ? found
        : this.#count('public_address')
    return text.replaceAll(IPV4, address).replaceAll(IPV6, address)
  }

  /** A key without an end marker is redacted up to the end of the text. */
  #withoutKeys(text: string): string {
    const parts: string[] = []
    let from = 0
    for (;;) {
      const begin = text.indexOf(KEY_BEGINS, from)
      if (begin < 0) return parts.concat(text.slice(from)).join('')
      parts.push(text.slice(from, begin), this.#count('private_key'))
      KEY_ENDS.lastIndex = begin
      if (!KEY_ENDS.test(text)) return parts.join('')
      from = KEY_ENDS.lastIndex
    }
  }

  #count(rule: RedactionRule): string {
    this.counts[rule]++
    return gone(rule)
  }
}
