import { type Attachment, MAX_ATTACHMENTS } from '@lodge/shared/attachments.ts'
import { useState } from 'react'
import { type Sending, useAttach } from '../../suspensions/use-attach.ts'

/** Files that were uploaded for a message that is not sent yet. */
export interface Uploads {
  readonly files: readonly Attachment[]
  readonly busy: boolean
  /** The file that is on its way. */
  readonly sending: Sending | undefined
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
  const { sending, send } = useAttach(address)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const take = async (given: readonly File[]): Promise<void> => {
    setBusy(true)
    setRefusal(undefined)
    try {
      for (const file of given.slice(0, MAX_ATTACHMENTS - files.length)) {
        const taken = await send(file)
        if (taken) setFiles((before) => [...before, taken])
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
    refusal,
    take,
    remove: (id) => setFiles((before) => before.filter((one) => one.id !== id)),
    clear: () => setFiles([]),
  }
}
