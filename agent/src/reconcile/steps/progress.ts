import type { Progress } from '@lodge/driver/driver.ts'
import { withoutSecrets } from '../state/event.ts'
import type { ReconciledServer } from '../state/reconciled-server.ts'

/** Reports the progress of the work under way, with secrets masked. */
export function reportProgress(
  reconciler: ReconciledServer,
  progress: Omit<Progress, 'step'> & { readonly step: Progress['step'] | 'stop' },
): void {
  const { desired, serverId, around } = reconciler
  const logLines = withoutSecrets(progress.logLines ?? [], desired?.spec)
  if (logLines.length > 0) {
    around.installLog(serverId).heard(Buffer.from(`${logLines.join('\r\n')}\r\n`))
  }
  around.progress({
    serverId,
    generation: desired?.generation ?? 0,
    step: progress.step,
    percent: progress.percent ?? -1,
    detail: progress.detail,
    bytesDone: progress.bytes?.done ?? 0,
    bytesTotal: progress.bytes?.total ?? 0,
    logLines,
  })
}
