import { type Attachment, PICTURE_TYPES } from '@lodge/shared/attachments.ts'
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
  /** The address of a picture that was sent from here, to look at. */
  pictureOf(file: Attachment): string | undefined
} {
  const [sending, setSending] = useState<Sending>()
  const [repeated, setRepeated] = useState<Attachment>()
  const current = useRef<AbortController>(undefined)
  const pictures = useRef(new Map<string, string>())
  // Whoever leaves the page does not send the message any more.
  useEffect(() => {
    const { current: addresses } = pictures
    return () => {
      current.current?.abort()
      for (const address of addresses.values()) URL.revokeObjectURL(address)
      addresses.clear()
    }
  }, [])
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
      if (taken && !same && PICTURE_TYPES.some((type) => type === taken.type))
        pictures.current.set(taken.id, URL.createObjectURL(file))
      return taken && !same ? [...beside, taken] : beside
    } finally {
      setSending(undefined)
    }
  }
  return { sending, repeated, send, pictureOf: ({ id }) => pictures.current.get(id) }
}
