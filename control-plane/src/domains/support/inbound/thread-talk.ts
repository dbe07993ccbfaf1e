import type { ProblemCode } from '@lodge/shared/problems.ts'
import type { Found, Given } from '../senders/check.ts'
import type { MailEnvelope } from './from-mime.ts'
import type { Mail, MailFile } from './mail.ts'

/** Input of a sender check; the requesting thread makes the lookups. */
export type CheckGiven = Omit<Given, 'lookup'>

/** A mail whose files can be transferred between threads. */
export type ParsedMail = Omit<Mail, 'files'> & {
  readonly files: readonly (Omit<MailFile, 'bytes'> & {
    readonly bytes: Uint8Array<ArrayBuffer>
  })[]
}

/** Messages to the mail thread; bytes are transferred, not copied. */
export type ToThread =
  | {
      readonly id: number
      readonly raw: Uint8Array<ArrayBuffer>
      readonly parse: MailEnvelope | undefined
    }
  | { readonly id: number; readonly raw: Uint8Array<ArrayBuffer>; readonly check: CheckGiven }
  /** The result of a lookup for the thread. */
  | { readonly answers: number; readonly rows: unknown }
  | {
      readonly answers: number
      readonly failed: { readonly message: string; readonly code: string | undefined }
    }

/** The outcome for a mail. */
export type Answer =
  | { readonly id: number; readonly mail: ParsedMail }
  | {
      readonly id: number
      readonly refused: { readonly code: ProblemCode; readonly detail: string }
    }
  | { readonly id: number; readonly found: Found }

/** Messages from the thread, which makes no lookups itself. */
export type FromThread =
  | Answer
  | {
      readonly id: number
      readonly lookup: number
      readonly name: string
      readonly type: string
    }
