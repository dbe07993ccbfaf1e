import type { ProblemCode } from '@lodge/shared/problems.ts'
import type { Found, Given } from '../senders/check.ts'
import type { MailEnvelope } from './from-mime.ts'
import type { Mail, MailFile } from './mail.ts'

/** What is known of a mail whose sender is checked; names are looked up by whoever asks. */
export type CheckGiven = Omit<Given, 'lookup'>

/** A mail whose files can be passed on, not shared. */
export type ParsedMail = Omit<Mail, 'files'> & {
  readonly files: readonly (Omit<MailFile, 'bytes'> & {
    readonly bytes: Uint8Array<ArrayBuffer>
  })[]
}

/** What the thread of mails is asked; the bytes are passed on, not shared. */
export type ToThread =
  | {
      readonly id: number
      readonly raw: Uint8Array<ArrayBuffer>
      readonly parse: MailEnvelope | undefined
    }
  | { readonly id: number; readonly raw: Uint8Array<ArrayBuffer>; readonly check: CheckGiven }
  /** What a lookup of the thread found. */
  | { readonly answers: number; readonly rows: unknown }
  | {
      readonly answers: number
      readonly failed: { readonly message: string; readonly code: string | undefined }
    }

/** What becomes of a mail. */
export type Answer =
  | { readonly id: number; readonly mail: ParsedMail }
  | {
      readonly id: number
      readonly refused: { readonly code: ProblemCode; readonly detail: string }
    }
  | { readonly id: number; readonly found: Found }

/** What the thread says; it has no names looked up by itself. */
export type FromThread =
  | Answer
  | {
      readonly id: number
      readonly lookup: number
      readonly name: string
      readonly type: string
    }
