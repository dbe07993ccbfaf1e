import type { Ctx } from '../../../context.ts'
import { readerOf } from '../../../moment-text.ts'
import { wordsFor } from '../../../said-in.ts'
import { filesWithRoom, type StoredFile, storeFiles } from '../../attachments/index.ts'
import { findUser } from '../../customers/index.ts'
import { secondsUntilRoom } from '../strangers-files.ts'
import { type Mail, oneLine } from './mail.ts'
import { t } from './words.ts'

/** The files of a mail before their owner is known. */
export interface MailFiles {
  readonly stored: readonly StoredFile[]
  /** Names of files that are not allowed or exceed the limits. */
  readonly leftOut: readonly string[]
  /** Names of duplicates of other files in the mail. */
  readonly repeated: readonly string[]
}

const MOST_NAMED = 20

/**
 * Stores the files of a mail before it is decided what happens to it; those of strangers within their
 * shared budget.
 */
export async function keepFiles(
  ctx: Ctx,
  { files }: Pick<Mail, 'files'>,
  isStranger: () => Promise<boolean>,
): Promise<MailFiles> {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  if (bytes > 0 && (await isStranger()) && (await secondsUntilRoom(ctx, bytes)) > 0)
    return { stored: [], leftOut: files.map(({ name }) => name), repeated: [] }
  return storeFiles(ctx, files)
}

/**
 * The files to attach to a mail's message, and a note about the others in the sender's language.
 * Locks the account of the sender, so the caller must not have locked the ticket yet: deleting an
 * account locks it before its tickets.
 * @param ownerId the account of the sender; null without one
 */
export async function filesOf(
  ctx: Ctx,
  ownerId: string | null,
  { stored, leftOut, repeated }: MailFiles,
): Promise<{ kept: readonly StoredFile[]; note: string }> {
  const room = await filesWithRoom(ctx, ownerId, stored)
  const sender = ownerId === null ? undefined : await findUser(ctx.db, ownerId)
  const words = wordsFor(t, readerOf(sender))
  const noRoom = room.leftOut.map(({ name }) => name)
  const listed = (names: readonly string[]): string =>
    names
      .slice(0, MOST_NAMED)
      .map((name) => oneLine(name, 100) || words.unnamed)
      .join(', ')
  const notes = [
    ...(leftOut.length > 0 ? [words.notTaken({ names: listed(leftOut) })] : []),
    ...(repeated.length > 0 ? [words.repeated({ names: listed(repeated) })] : []),
    ...(noRoom.length > 0 ? [words.noRoom({ names: listed(noRoom) })] : []),
  ]
  return { kept: room.kept, note: notes.map((each) => `\n\n_${each}_`).join('') }
}
