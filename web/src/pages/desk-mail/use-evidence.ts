import { Evidence, MAX_EVIDENCE, MAX_EVIDENCE_BYTES } from '@lodge/shared/support/abuse.ts'
import { useEffect, useRef, useState } from 'react'
import { tooMany, upload } from '../suspensions/attach.ts'
import type { Sending } from '../suspensions/use-attach.ts'

/** The files of an unsent report, uploaded one after the other as they are chosen. */
export function useEvidence() {
  const [files, setFiles] = useState<readonly Evidence[]>([])
  const [sending, setSending] = useState<Sending>()
  const [refusal, setRefusal] = useState<unknown>()
  const current = useRef<AbortController>(undefined)
  useEffect(() => () => current.current?.abort(), [])

  const send = async (file: File): Promise<void> => {
    const control = new AbortController()
    current.current = control
    const progress = (sentBytes: number) =>
      setSending({
        ...{ name: file.name, sizeBytes: file.size, sentBytes: Math.min(sentBytes, file.size) },
        cancel: () => control.abort(),
      })
    progress(0)
    const url = `/api/support/abuse/evidence?${new URLSearchParams({ name: file.name })}`
    const given = { mostBytes: MAX_EVIDENCE_BYTES, progress, signal: control.signal }
    const answer = await upload(url, file, given).finally(() => setSending(undefined))
    if (answer === undefined) return
    const taken = Evidence.parse(answer)
    setFiles((before) => [...before, taken])
  }
  return {
    ...{ files, sending, refusal },
    async take(chosen: readonly File[]): Promise<void> {
      setRefusal(undefined)
      try {
        const room = MAX_EVIDENCE - files.length
        for (const file of chosen.slice(0, room)) await send(file)
        if (chosen.length > room) throw tooMany(MAX_EVIDENCE)
      } catch (error) {
        setRefusal(error)
      }
    },
    remove: (receipt: string): void =>
      setFiles((before) => before.filter((file) => file.receipt !== receipt)),
  }
}
