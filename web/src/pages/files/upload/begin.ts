import { loadPart } from '../../../load-code.ts'
import { dock } from '../../../ui/page/dock.tsx'
import type { Chosen } from './transfer.ts'
import { enqueue } from './uploads.ts'

/** Uploads files, and shows them in the tray. */
export function beginUpload(serverId: string, chosen: Pick<Chosen, 'files'>): void {
  void loadPart(() => import('./tray.tsx')).then(({ default: Tray }) => dock(Tray))
  enqueue(serverId, chosen)
}
