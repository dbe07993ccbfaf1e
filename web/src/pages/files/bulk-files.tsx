import type { Entry } from '@lodge/shared/files.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { BulkBar } from '../../ui/data/bulk-bar.tsx'
import type { Doing } from './doing.ts'
import { download } from './file-menu.tsx'
import type { Cannot } from './use-can.ts'
import { t } from './words.ts'

interface BulkFilesProps {
  serverId: string
  entries: readonly Entry[]
  can: Cannot
  onDo: (doing: Doing) => void
  onClear: () => void
}

/** The actions on all selected entries. */
export function BulkFiles({ serverId, entries, can, onDo, onClear }: BulkFilesProps) {
  const acts = [
    ['move', t.move],
    ['copy', t.copy],
    ['archive', t.archive],
    ['chmod', t.permissions],
  ] as const
  return (
    <BulkBar
      label={t.selectedFiles}
      selected={t.selected({ count: entries.length })}
      onRetry={() => undefined}
      onClear={onClear}
    >
      <Button size="small" onClick={() => download(serverId, entries)}>
        {t.download}
      </Button>
      {acts.map(([what, label]) => (
        <Button
          key={what}
          size="small"
          disabledBecause={can.write}
          onClick={() => onDo({ what, entries })}
        >
          {label}
        </Button>
      ))}
      <Button
        size="small"
        kind="warning"
        disabledBecause={can.delete}
        onClick={() => onDo({ what: 'delete', entries })}
      >
        {t.delete}
      </Button>
    </BulkBar>
  )
}
