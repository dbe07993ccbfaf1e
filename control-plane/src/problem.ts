import { panelPath } from '@lodge/shared/panel-paths.ts'
import { PROBLEMS, type ProblemCode, type ProblemDocument } from '@lodge/shared/problems.ts'

/** Members of every problem (RFC 9457, 3.1, and ours), which extensions must not override. */
type Member = 'type' | 'title' | 'status' | 'detail' | 'instance' | 'code'

/** Extensions of a problem (RFC 9457, 3.2). */
export type ProblemFields = Readonly<Record<string, unknown>> & { readonly [M in Member]?: never }

/** The only error that rules throw; any other is our fault and answers 500. */
export class Problem extends Error {
  readonly code: ProblemCode
  /** Extension members, e.g. `limit`, `used`, `errors`. */
  readonly fields: ProblemFields
  /** Seconds to wait before a retry makes sense. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    options: { fields?: ProblemFields; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.fields = options.fields ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return PROBLEMS[this.code].status
  }

  /** @param requestId lets an operator find the request in the log */
  document(requestId: string): ProblemDocument {
    const { status, title } = PROBLEMS[this.code]
    const type = panelPath('problem', { code: this.code })
    return {
      ...this.fields,
      type,
      title,
      status,
      code: this.code,
      detail: this.message,
      instance: requestId,
    }
  }
}

/** A hidden resource answers exactly like a missing one, so nobody can probe for it. */
export const notFound = (noun: string) => new Problem('not_found', `There is no such ${noun}`)

/** What an address of nothing answers. */
export const nothingHere = () => new Problem('not_found', 'There is nothing at this address')
