import { type Attachment, MAX_ATTACHMENTS, PICTURE_TYPES } from '@lodge/shared/attachments.ts'
import { useRef, useState } from 'react'
import { tooMany } from '../../suspensions/attach.ts'
import { previewAddress } from '../../suspensions/preview.ts'
import { type Sending, useAttach } from '../../suspensions/use-attach.ts'
import type { Draft } from './use-draft.ts'

/** Files uploaded for an unsent message. */
export interface Uploads {
  readonly files: readonly Attachment[]
  readonly busy: boolean
  /** The file being uploaded. */
  readonly sending: Sending | undefined
  /** A duplicate file. */
  readonly repeated: Attachment | undefined
  /** Why the last file was refused. */
  readonly refusal: unknown
  take(files: readonly File[]): Promise<void>
  remove(id: string): void
  /** The object URL of a picture. */
  pictureOf(file: Attachment): string | undefined
}

/**
 * Uploads files as soon as they are added, and stores them in the draft.
 * @param ticketId `new` for a new ticket
 */
export function useUploads(ticketId: string, draft: Draft): Uploads {
  const address = `/api/support/tickets/${encodeURIComponent(ticketId)}/attachments`
  const { files, change } = draft
  const latest = useRef(files)
  latest.current = files
  const { sending, repeated, send, pictureOf } = useAttach(address)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const show = (next: readonly Attachment[]): void => {
    latest.current = next
    change({ files: next })
  }
  const take = async (given: readonly File[]): Promise<void> => {
    setBusy(true)
    setRefusal(undefined)
    try {
      const room = MAX_ATTACHMENTS - files.length
      for (const file of given.slice(0, room)) {
        const before = latest.current
        const after = await send(file, before)
        // Some may have been removed meanwhile.
        const added = after.slice(before.length)
        if (added.length > 0) show([...latest.current, ...added])
      }
      if (given.length > room) throw tooMany(MAX_ATTACHMENTS)
    } catch (error) {
      setRefusal(error)
    } finally {
      setBusy(false)
    }
  }
  return {
    files,
    busy,
    sending,
    repeated: files.find(({ id }) => id === repeated?.id),
    refusal,
    take,
    remove: (id) => show(latest.current.filter((one) => one.id !== id)),
    pictureOf: (file) => pictureOf(file) ?? previewOf(file, address),
  }
}

/** For a picture from before the page was opened. */
const previewOf = ({ id, type }: Attachment, address: string): string | undefined =>
  PICTURE_TYPES.some((one) => one === type) ? previewAddress(address, id) : undefined
