import { type Attachment, PICTURE_TYPES } from '@lodge/shared/attachments.ts'
import { useEffect, useRef, useState } from 'react'
import { attach } from './attach.ts'

/** A file being uploaded. */
export interface Sending {
  readonly name: string
  readonly sentBytes: number
  readonly sizeBytes: number
  cancel(): void
}

/** Uploads files one after the other, with the progress of the current one. */
export function useAttach(address: string): {
  readonly sending: Sending | undefined
  /** The existing file that the last one duplicates. */
  readonly repeated: Attachment | undefined
  /**
   * @param beside the files that the message has already
   * @returns the message's files afterwards
   */
  send(file: File, beside: readonly Attachment[]): Promise<readonly Attachment[]>
  /** The object URL of a picture that was uploaded from here. */
  pictureOf(file: Attachment): string | undefined
} {
  const [sending, setSending] = useState<Sending>()
  const [repeated, setRepeated] = useState<Attachment>()
  const current = useRef<AbortController>(undefined)
  const pictures = useRef(new Map<string, string>())
  // Leaving the page cancels the upload.
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
    const onProgress = (sentBytes: number) =>
      setSending({
        ...{ name: file.name, sizeBytes: file.size, sentBytes: Math.min(sentBytes, file.size) },
        cancel: () => control.abort(),
      })
    onProgress(0)
    try {
      const { signal } = control
      const taken = await attach(address, file, { beside, progress: onProgress, signal })
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
