import { z } from 'zod'
import { Attachment, AttachmentIds } from './attachments.ts'

export const SUSPENSION_REASONS = [
  'abuse',
  'payment_fraud',
  'terms',
  'security',
  'request',
  'other',
] as const
export const SuspensionReason = z.enum(SUSPENSION_REASONS)
export type SuspensionReason = z.infer<typeof SuspensionReason>

/** What a suspension does besides restricting the account. */
export const SuspensionOptions = z.strictObject({
  /** Otherwise the servers run on, and their owner cannot change anything. */
  stopServers: z.boolean(),
  /** Nothing opens but the suspension and its appeal. */
  blockSignIn: z.boolean(),
  allowAppeal: z.boolean(),
  allowTickets: z.boolean(),
  /** Files and backups of the own servers can be read and downloaded. */
  allowDataExport: z.boolean(),
  pauseBilling: z.boolean(),
  /** API tokens, SSH keys, SFTP passwords and open links of the account end for good. */
  revokeTokens: z.boolean(),
  notifyCustomer: z.boolean(),
  /** The person is told that, but not why. */
  hideReason: z.boolean(),
  deleteServersAfterDays: z.int().min(1).max(3650).nullable(),
})
export type SuspensionOptions = z.infer<typeof SuspensionOptions>

export const DEFAULT_SUSPENSION_OPTIONS: SuspensionOptions = {
  stopServers: true,
  blockSignIn: false,
  allowAppeal: true,
  allowTickets: true,
  allowDataExport: false,
  pauseBilling: false,
  revokeTokens: true,
  notifyCustomer: true,
  hideReason: false,
  deleteServersAfterDays: null,
}

const text = (most: number) => z.string().trim().max(most)
export const MAX_REASON = 2000
const publicReason = text(MAX_REASON)
const note = text(5000).min(1)
const message = text(5000).min(1)

/** Left out: as the settings say. */
export const SuspendCustomer = z.strictObject({
  reasonCode: SuspensionReason,
  publicReason: publicReason.default(''),
  options: SuspensionOptions.partial().optional(),
  /** When it ends by itself. */
  endsAt: z.iso.datetime().nullable().optional(),
  note: note.optional(),
})
export const EditSuspension = z.strictObject({
  reasonCode: SuspensionReason.optional(),
  publicReason: publicReason.optional(),
  options: SuspensionOptions.partial().optional(),
  endsAt: z.iso.datetime().nullable().optional(),
})
export const WriteSuspensionNote = z.strictObject({ text: note })

/** `open -> answered <-> customer_replied`, from each of which it is decided or withdrawn. */
export const APPEAL_STATES = [
  'open',
  'answered',
  'customer_replied',
  'granted',
  'rejected',
  'withdrawn',
] as const
export const AppealState = z.enum(APPEAL_STATES)
export type AppealState = z.infer<typeof AppealState>
export type AppealMove = 'answer' | 'reply' | 'grant' | 'reject' | 'withdraw'

const undecided = {
  answer: 'answered',
  reply: 'customer_replied',
  grant: 'granted',
  reject: 'rejected',
  withdraw: 'withdrawn',
} as const
/** What each move leads to; a move that is not listed is refused. */
export const APPEAL_MOVES: Readonly<
  Record<AppealState, Readonly<Partial<Record<AppealMove, AppealState>>>>
> = {
  open: { ...undecided, reply: 'open' },
  answered: undecided,
  customer_replied: undecided,
  granted: {},
  rejected: {},
  withdrawn: {},
}
export const isDecided = (state: AppealState): boolean =>
  Object.keys(APPEAL_MOVES[state]).length === 0
/** Whether staff are to answer next. */
export const awaitsStaff = (state: AppealState): boolean =>
  state === 'open' || state === 'customer_replied'

export const MIN_APPEAL = 20
export const MAX_APPEALS = 3
export const DAYS_BETWEEN_APPEALS = 7

export const OpenAppeal = z.strictObject({
  message: text(5000).min(MIN_APPEAL),
  attachments: AttachmentIds,
})
export const ReplyInAppeal = z.strictObject({ message, attachments: AttachmentIds })
export const AnswerAppeal = z.strictObject({
  message,
  attachments: AttachmentIds,
  decision: z.enum(['grant', 'reject']).optional(),
  /** Whether granting it lifts the suspension. */
  lift: z.boolean().default(true),
  restoreRunning: z.boolean().default(true),
})

export const AppealMessage = z.object({
  id: z.uuid(),
  from: z.enum(['customer', 'staff']),
  /** Of staff, and only to staff. */
  author: z.string().nullable(),
  text: z.string(),
  attachments: z.array(Attachment),
  createdAt: z.iso.datetime(),
})
export type AppealMessage = z.infer<typeof AppealMessage>
export const Appeal = z.object({
  id: z.uuid(),
  state: AppealState,
  openedAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  messages: z.array(AppealMessage),
})
export type Appeal = z.infer<typeof Appeal>

const person = z.object({ id: z.uuid(), email: z.string() }).nullable()
export const SuspensionNote = z.object({
  id: z.uuid(),
  author: z.string().nullable(),
  text: z.string(),
  createdAt: z.iso.datetime(),
})
export type SuspensionNote = z.infer<typeof SuspensionNote>
/** As staff see it. */
export const Suspension = z.object({
  id: z.uuid(),
  reasonCode: SuspensionReason,
  publicReason: z.string(),
  options: SuspensionOptions,
  startedAt: z.iso.datetime(),
  endsAt: z.iso.datetime().nullable(),
  createdBy: person,
  liftedAt: z.iso.datetime().nullable(),
  /** Null if it ended by itself, or whoever lifted it is gone. */
  liftedBy: person,
  liftReason: z.string().nullable(),
  /** When the servers are deleted. */
  deleteServersAt: z.iso.datetime().nullable(),
  /** Its texts were erased after the time that the settings say. */
  erased: z.boolean(),
  /** Null for those who may not read them. */
  notes: z.array(SuspensionNote).nullable(),
  appeals: z.array(Appeal),
})
export type Suspension = z.infer<typeof Suspension>
export const SuspensionHistory = z.object({
  active: Suspension.nullable(),
  /** Those that are over, the newest first. */
  history: z.array(Suspension),
})
export type SuspensionHistory = z.infer<typeof SuspensionHistory>

/** As the suspended person sees it. */
export const OwnSuspension = z.object({
  startedAt: z.iso.datetime(),
  endsAt: z.iso.datetime().nullable(),
  /** Null if it is not told. */
  reasonCode: SuspensionReason.nullable(),
  reason: z.string().nullable(),
  serversStopped: z.boolean(),
  deleteServersAt: z.iso.datetime().nullable(),
  /** What still works. */
  mayExportData: z.boolean(),
  mayUseTickets: z.boolean(),
  /** Read own invoices and pay them. */
  mayPay: z.boolean(),
  appeal: z.object({
    possible: z.boolean(),
    /** Why not, in words; null if it is. */
    whyNot: z.string().nullable(),
    /** When another one is possible. */
    from: z.iso.datetime().nullable(),
    /** The newest first. */
    appeals: z.array(Appeal),
  }),
})
export type OwnSuspension = z.infer<typeof OwnSuspension>

export const ReasonTemplate = z.strictObject({
  name: text(80).min(1),
  reasonCode: SuspensionReason,
  text: publicReason.min(1),
})
export type ReasonTemplate = z.infer<typeof ReasonTemplate>
export const MAX_TEMPLATES = 50
export const SuspensionSettings = z.strictObject({
  options: SuspensionOptions,
  templates: z.array(ReasonTemplate).max(MAX_TEMPLATES),
  appealEnabled: z.boolean(),
  /** Days after its beginning in which an appeal can be opened. */
  appealWindowDays: z.int().min(1).max(3650),
  /** Days after its end for which the texts of a suspension are kept. */
  retentionDays: z.int().min(90).max(3650),
})
export type SuspensionSettings = z.infer<typeof SuspensionSettings>

/** An appeal that staff are to answer. */
export const WaitingAppeal = z.object({
  id: z.uuid(),
  customerId: z.uuid(),
  email: z.string(),
  state: AppealState,
  openedAt: z.iso.datetime(),
  /** The message that waits. */
  waitingSince: z.iso.datetime(),
})
export type WaitingAppeal = z.infer<typeof WaitingAppeal>
