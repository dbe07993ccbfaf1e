import { type Attachment, MAX_ATTACHMENTS } from '@lodge/shared/attachments.ts'
import { useState } from 'react'
import { type Sending, useAttach } from '../../suspensions/use-attach.ts'

/** Files that were uploaded for a message that is not sent yet. */
export interface Uploads {
  readonly files: readonly Attachment[]
  readonly busy: boolean
  /** The file that is on its way. */
  readonly sending: Sending | undefined
  /** A file that was given twice. */
  readonly repeated: Attachment | undefined
  /** Why the last file was not taken. */
  readonly refusal: unknown
  take(files: readonly File[]): Promise<void>
  remove(id: string): void
  clear(): void
}

/**
 * Uploads files as soon as they are given.
 * @param ticketId `new` for a ticket that is not sent yet
 */
export function useUploads(ticketId: string): Uploads {
  const address = `/api/support/tickets/${encodeURIComponent(ticketId)}/attachments`
  const [files, setFiles] = useState<readonly Attachment[]>([])
  const { sending, repeated, send } = useAttach(address)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const take = async (given: readonly File[]): Promise<void> => {
    setBusy(true)
    setRefusal(undefined)
    let present = files
    try {
      for (const file of given.slice(0, MAX_ATTACHMENTS - present.length)) {
        const after = await send(file, present)
        // Meanwhile some may have been removed.
        const added = after.slice(present.length)
        setFiles((before) => [...before, ...added])
        present = after
      }
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
    remove: (id) => setFiles((before) => before.filter((one) => one.id !== id)),
    clear: () => setFiles([]),
  }
}
