import type { Ctx } from '../../../context.ts'
import { readerOf } from '../../../moment-text.ts'
import { wordsFor } from '../../../said-in.ts'
import { filesWithRoom, type StoredFile, storeFiles } from '../../attachments/index.ts'
import { findUser } from '../../customers/index.ts'
import { secondsUntilRoom } from '../strangers-files.ts'
import { type Mail, oneLine } from './mail.ts'
import { t } from './words.ts'

/** The files of a mail before it is known whose they are. */
export interface MailFiles {
  readonly stored: readonly StoredFile[]
  /** Names of those that may not be attached, or are too much. */
  readonly leftOut: readonly string[]
  /** Names of those that the mail has under another one, too. */
  readonly repeated: readonly string[]
}

const MOST_NAMED = 20

/**
 * Keeps the files of a mail before it is known what becomes of it, those of strangers while there is room
 * for such.
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
 * Which files come with a mail, and what is said below it of the others, in the language of its sender.
 * Locks the account of the sender, so whoever calls has not locked the ticket yet: who removes an
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
