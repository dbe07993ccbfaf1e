import type { Attachment } from '@lodge/shared/attachments.ts'
import { useEffect, useRef, useState } from 'react'
import { attach } from './attach.ts'

/** A file on its way. */
export interface Sending {
  readonly name: string
  readonly sentBytes: number
  readonly sizeBytes: number
  cancel(): void
}

/** Uploads files one after the other, and knows how far the present one is. */
export function useAttach(address: string): {
  readonly sending: Sending | undefined
  /** The file of the message that the last one turned out to be. */
  readonly repeated: Attachment | undefined
  /**
   * @param beside the files that the message has already
   * @returns what the message has then
   */
  send(file: File, beside: readonly Attachment[]): Promise<readonly Attachment[]>
} {
  const [sending, setSending] = useState<Sending>()
  const [repeated, setRepeated] = useState<Attachment>()
  const current = useRef<AbortController>(undefined)
  // Whoever leaves the page does not send the message any more.
  useEffect(() => () => current.current?.abort(), [])
  const send = async (
    file: File,
    beside: readonly Attachment[],
  ): Promise<readonly Attachment[]> => {
    setRepeated(undefined)
    const control = new AbortController()
    current.current = control
    const told = (sentBytes: number) =>
      setSending({
        ...{ name: file.name, sizeBytes: file.size, sentBytes: Math.min(sentBytes, file.size) },
        cancel: () => control.abort(),
      })
    told(0)
    try {
      const { signal } = control
      const taken = await attach(address, file, { beside, progress: told, signal })
      const same = beside.find(({ id }) => id === taken?.id)
      setRepeated(same)
      return taken && !same ? [...beside, taken] : beside
    } finally {
      setSending(undefined)
    }
  }
  return { sending, repeated, send }
}
