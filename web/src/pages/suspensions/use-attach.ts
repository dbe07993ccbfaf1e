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
  /** @returns undefined if it was cancelled */
  send(file: File): Promise<Attachment | undefined>
} {
  const [sending, setSending] = useState<Sending>()
  const current = useRef<AbortController>(undefined)
  // Whoever leaves the page does not send the message any more.
  useEffect(() => () => current.current?.abort(), [])
  const send = async (file: File): Promise<Attachment | undefined> => {
    const control = new AbortController()
    current.current = control
    const told = (sentBytes: number) =>
      setSending({
        ...{ name: file.name, sizeBytes: file.size, sentBytes: Math.min(sentBytes, file.size) },
        cancel: () => control.abort(),
      })
    told(0)
    try {
      return await attach(address, file, { progress: told, signal: control.signal })
    } finally {
      setSending(undefined)
    }
  }
  return { sending, send }
}
