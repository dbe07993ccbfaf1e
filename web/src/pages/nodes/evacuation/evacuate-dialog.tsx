import { useState } from 'react'
import type { Reply } from '../../../api.ts'
import { useAct } from '../../../query.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { Tick } from '../../../ui/choices/tick.tsx'
import { duration } from '../../../ui/data/time-words.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { useNode } from '../use-node.ts'
import { t } from './words.ts'

const AT_ONCE = ['1', '2', '3', '4']

/** Says what moves and what stays, and begins. */
export function EvacuateDialog(props: {
  plan: Reply<'GET /api/nodes/{id}/evacuation'>['plan']
  onClose: () => void
}) {
  const { plan, onClose } = props
  const node = useNode()
  const begin = useAct('POST /api/nodes/{id}/evacuate', [
    'GET /api/nodes/{id}/evacuation',
    'GET /api/nodes/{id}',
    'GET /api/nodes',
    'GET /api/jobs',
  ])
  const [parallel, setParallel] = useState('2')
  const [agreed, setAgreed] = useState(false)
  const [stopping, setStopping] = useState(true)
  const able = plan.filter(({ target }) => target !== null)
  const running = able.filter(({ stops }) => stops)
  const longest = Math.max(0, ...running.map(({ offSeconds }) => offSeconds ?? 0))
  const withBackups = able.filter(({ backupsLeft }) => backupsLeft > 0).length
  const moving = able.filter(
    ({ stops, backupsLeft }) => (stopping || !stops) && (agreed || backupsLeft === 0),
  ).length
  const left = stopping ? 0 : running.length
  const staying = plan.length - moving - left
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.title({ node: node.name })}
      verb={t.evacuate({ count: moving })}
      typed={node.name}
      disabledBecause={moving === 0 ? t.nothingMoves : undefined}
      onConfirm={() =>
        begin.mutateAsync({
          params: { id: node.id },
          body: { parallel: Number(parallel), stopMachines: stopping, confirmBackupsLeft: agreed },
        })
      }
    >
      <Column gap={14}>
        <Text>{t.question({ count: moving })}</Text>
        {staying === 0 ? null : <Text>{t.staying({ count: staying })}</Text>}
        {left === 0 ? null : <Text>{t.runningStay({ count: left })}</Text>}
        {running.length === 0 ? null : (
          <Tick
            label={t.stopMachines({ count: running.length, longest: duration(longest * 1000) })}
            checked={stopping}
            onChange={setStopping}
          />
        )}
        {withBackups === 0 ? null : (
          <Tick
            label={t.agreeBackups({ count: withBackups })}
            checked={agreed}
            onChange={setAgreed}
          />
        )}
        <SelectField
          label={t.parallel}
          description={t.parallelHelp}
          value={parallel}
          onChange={setParallel}
          choices={AT_ONCE.map((value) => ({ value, label: value }))}
        />
      </Column>
    </ConfirmDialog>
  )
}
