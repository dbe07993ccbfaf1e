import { useEffect, useState } from 'react'
import type { Sample } from './message.ts'

type Listener = (sample: Sample) => void
const listeners = new Map<string, Set<Listener>>()

/** Passes a sample to every subscriber of its server. */
export function publishSample(sample: Sample): void {
  for (const listener of listeners.get(sample.serverId) ?? []) listener(sample)
}

/** The samples of one server since this component mounted, oldest first. */
export function useSamples(serverId: string, keep: number): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  useEffect(() => {
    const set = listeners.get(serverId) ?? new Set()
    const listener: Listener = (sample) => setSamples((old) => [...old, sample].slice(-keep))
    listeners.set(serverId, set.add(listener))
    return () => {
      set.delete(listener)
    }
  }, [serverId, keep])
  return samples
}
