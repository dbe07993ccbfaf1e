import { access } from 'node:fs/promises'
import type { PreflightCheck } from '@lodge/shared/nodes.ts'

const SYNCHRONISERS = [
  '/run/systemd/timesync/synchronized',
  '/run/chrony/chronyd.sock',
  '/run/chrony.pid',
  '/run/ntpd.pid',
  '/run/openntpd.pid',
]

/** Checks whether something synchronizes the clock. The control plane measures its offset. */
export async function checkClock(): Promise<PreflightCheck> {
  const found = await Promise.all(
    SYNCHRONISERS.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  )
  if (found.includes(true)) {
    return { id: 'clock', state: 'ok', summary: 'The clock is kept by NTP', remedy: null }
  }
  return {
    id: 'clock',
    state: 'warning',
    summary: 'Nothing was found that keeps the clock right',
    remedy: 'Install chrony or switch on systemd-timesyncd',
  }
}
