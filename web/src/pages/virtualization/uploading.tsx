import { useRef } from 'react'
import type { Reply } from '../../api.ts'
import { useRefresh } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Progress } from '../../ui/data/meter.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { Pill } from '../../ui/data/status.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { sendFile, useUpload } from './uploads.ts'
import { t } from './words.ts'

type Medium = Reply<'GET /api/virtualization/catalogue'>['media'][number]

/** The progress of an upload; one that this tab is not sending can be resumed from the same file. */
export function Uploading({ medium }: { medium: Medium }) {
  const picker = useRef<HTMLInputElement>(null)
  const refresh = useRefresh()
  const upload = useUpload(medium.id)
  const total = medium.sizeBytes ?? 0
  const sent = Math.max(upload?.sentBytes ?? 0, medium.uploadedBytes ?? 0)
  const going = upload !== undefined && upload.fault === undefined
  const go = (file: File | undefined): void => {
    if (!file) return
    if (file.size !== total) {
      const why = t.otherFile({ size: formatBytes(file.size), expected: formatBytes(total) })
      toastRefused(t.notContinued({ name: medium.name }), new Error(why))
      return
    }
    void sendFile(medium.id, file).then(() =>
      refresh(['GET /api/virtualization/catalogue', 'GET /api/jobs']),
    )
  }
  return (
    <Column gap={4}>
      <span>
        <Pill tone={going ? 'pend' : 'warn'}>{going ? t.uploading : t.interrupted}</Pill>
      </span>
      <Progress
        label={t.uploadOf({ name: medium.name })}
        percent={total ? (sent * 100) / total : null}
      />
      <Text small muted>
        {upload?.fault === undefined
          ? t.doneOf({ done: formatBytes(sent), total: formatBytes(total) })
          : t.stoppedAt({
              done: formatBytes(sent),
              total: formatBytes(total),
              reason: upload.fault,
            })}
      </Text>
      {going ? null : (
        <span>
          <Button size="small" onClick={() => picker.current?.click()}>
            {t.continueUpload}
          </Button>
          <input
            ref={picker}
            type="file"
            hidden
            aria-label={t.fileOf({ name: medium.name })}
            onChange={(event) => go(event.currentTarget.files?.[0])}
          />
        </span>
      )}
    </Column>
  )
}
