import type { LeaseExtension } from '@lodge/shared/failover.ts'
import { useState } from 'react'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { At } from '../../ui/data/time.tsx'
import { duration } from '../../ui/data/time-words.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { t } from './words.ts'

const MINUTE_MS = 60_000
const LENGTHS_MINUTES = [5, 10, 15] as const
const ENDS_MINUTES = [30, 60, 120, 240] as const

/** Extends leases before maintenance of the control plane, and shows the state of an extension. */
export function ExtensionCard({ extension }: { extension: LeaseExtension | null }) {
  const missing = useMissing()('nodes.manage')
  const [isOpen, setOpen] = useState(false)
  const end = useAct('DELETE /api/failover/lease-extension', ['GET /api/failover/status'])
  return (
    <Card title={t.extension}>
      <Stack gap={14}>
        {extension === null ? <Text>{t.extensionText}</Text> : <Standing extension={extension} />}
        <Row gap={8}>
          <Button disabledBecause={missing} onClick={() => setOpen(true)}>
            {extension === null ? t.extend : t.extendAnew}
          </Button>
          {extension === null ? null : (
            <Button
              kind="quiet"
              disabledBecause={missing}
              busy={end.isPending}
              onClick={() => end.mutate({})}
            >
              {t.endExtension}
            </Button>
          )}
        </Row>
        {end.error ? <ProblemNote error={end.error} /> : null}
      </Stack>
      {isOpen ? <ExtendDialog onClose={() => setOpen(false)} /> : null}
    </Card>
  )
}

/** Whether the maintenance may begin. */
function Standing({ extension }: { extension: LeaseExtension }) {
  const { extended, mayBeAwaySeconds, nodes, ttlSeconds, until } = extension
  const isReady = mayBeAwaySeconds !== null
  return (
    <Note tone={isReady ? 'ok' : 'warn'} title={t.extended({ duration: spoken(ttlSeconds / 60) })}>
      <Stack gap={2}>
        <Text>
          {isReady
            ? t.extendedReady({ nodes, duration: duration(mayBeAwaySeconds * 1_000) })
            : t.extendedWaits({ nodes, extended })}
        </Text>
        <Text>{rich(t.extendedUntil({ when: () => <At at={until} /> }))}</Text>
      </Stack>
    </Note>
  )
}

/** A duration in whole hours and minutes, as it is chosen. */
function spoken(minutes: number): string {
  if (minutes % 60 === 0) return t.hours({ count: minutes / 60 })
  return Number.isInteger(minutes) ? t.minutes({ count: minutes }) : duration(minutes * MINUTE_MS)
}

const choicesOf = (minutes: readonly number[]) =>
  minutes.map((count) => ({ value: String(count), label: spoken(count) }))

function ExtendDialog({ onClose }: { onClose: () => void }) {
  const [length, setLength] = useState('15')
  const [end, setEnd] = useState('60')
  const extend = useAct('PUT /api/failover/lease-extension', ['GET /api/failover/status'])
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.extendTitle}
      verb={t.extendTitle}
      kind="primary"
      onConfirm={() =>
        extend.mutateAsync({ body: { ttlSeconds: Number(length) * 60, minutes: Number(end) } })
      }
    >
      <Stack gap={14}>
        <SelectField
          label={t.extendLength}
          description={t.extendLengthText}
          choices={choicesOf(LENGTHS_MINUTES)}
          value={length}
          onChange={setLength}
        />
        <SelectField
          label={t.extendEnds}
          choices={choicesOf(ENDS_MINUTES)}
          value={end}
          onChange={setEnd}
        />
        <Text muted>{t.extendCost}</Text>
      </Stack>
    </ConfirmDialog>
  )
}
