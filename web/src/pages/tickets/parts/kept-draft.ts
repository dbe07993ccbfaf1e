import { Attachment, MAX_ATTACHMENTS } from '@lodge/shared/attachments.ts'

/** Typed answers to the fields of a category, by the key of the field. */
export type Answers = Readonly<Record<string, string | boolean>>

/** What somebody has typed and not sent. */
export interface Typed {
  readonly text: string
  /** Whether it is an internal note. */
  readonly isNote: boolean
  /** Uploaded files to send with it. */
  readonly files: readonly Attachment[]
  /** The other fields are for a new ticket. Empty: none. */
  readonly subject: string
  readonly categoryId: string
  readonly serverId: string
  readonly answers: Answers
}

export const NOTHING_TYPED: Typed = {
  ...{ text: '', isNote: false, files: [] },
  ...{ subject: '', categoryId: '', serverId: '', answers: {} },
}

export const isNothing = ({ text, subject, answers, files }: Typed): boolean =>
  text === '' && subject === '' && Object.keys(answers).length + files.length === 0

const FIELDS = Object.keys(NOTHING_TYPED) as (keyof Typed)[]

export const isSame = (one: Typed, other: Typed): boolean =>
  FIELDS.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]))

/** A draft as stored in this browser, which survives the end of the tab. */
export interface KeptDraft {
  readonly typed: Typed
  /** Version of the server's draft that it is based on. */
  readonly version: number
}

const keyOf = (person: string, id: string): string => `lodge.draft.${person}.${id}`

const isAnswers = (value: unknown): value is Answers =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((one) => typeof one === 'string' || typeof one === 'boolean')

/** The control plane deletes files that were not sent within a day. */
const FILES_KEPT_MS = 23 * 3_600_000

/** The files of a draft that still exist, judged by the time in their ids (RFC 9562, 5.7). */
function filesOf(value: unknown): readonly Attachment[] {
  const { data = [] } = Attachment.array().max(MAX_ATTACHMENTS).safeParse(value)
  const uploadedAt = ({ id }: Attachment) => Number.parseInt(id.slice(0, 13).replace('-', ''), 16)
  return data.filter((file) => Date.now() - uploadedAt(file) < FILES_KEPT_MS)
}

/** Parses a stored draft, which may be any value. */
export function typedOf(value: unknown): Typed {
  if (typeof value !== 'object' || value === null) return NOTHING_TYPED
  const given = value as Partial<Record<keyof Typed, unknown>>
  const text = (field: keyof Typed): string => {
    const { [field]: found } = given
    return typeof found === 'string' ? found : ''
  }
  return {
    ...{ text: text('text'), isNote: given.isNote === true, subject: text('subject') },
    ...{ categoryId: text('categoryId'), serverId: text('serverId') },
    answers: isAnswers(given.answers) ? given.answers : {},
    files: filesOf(given.files),
  }
}

export function readKept(person: string, id: string): KeptDraft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(person, id)) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return undefined
    const { typed, version } = kept as Partial<Record<keyof KeptDraft, unknown>>
    return typeof version === 'number' ? { typed: typedOf(typed), version } : undefined
  } catch {
    return undefined
  }
}

/** Stores a draft; undefined deletes it. Without storage only the server has it. */
export function keep(person: string, id: string, draft: KeptDraft | undefined): void {
  try {
    if (draft === undefined) localStorage.removeItem(keyOf(person, id))
    else localStorage.setItem(keyOf(person, id), JSON.stringify(draft))
  } catch {
    // Storage is full or disabled.
  }
}
