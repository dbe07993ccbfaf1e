import type { Backup } from '@lodge/shared/backups.ts'
import { writeFilter } from '@lodge/shared/lists/filter.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Key } from '../../../../api.ts'
import { q } from '../../../../query.ts'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { Ago } from '../../../../ui/data/time.tsx'
import type { Choice } from '../../../../ui/fields/field-props.ts'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import styles from './backups.module.css'
import { t } from './words.ts'

interface RestoreProps {
  backup: Backup
  server: Server
  onDone: () => void
}

const REFRESHES: readonly Key<'GET'>[] = [
  'GET /api/servers/{id}/backups',
  'GET /api/servers/{id}',
  'GET /api/jobs',
]

const Steps = ({ steps }: { steps: readonly string[] }) => (
  <ol className={styles.steps}>
    {steps.map((step) => (
      <li key={step}>{step}</li>
    ))}
  </ol>
)

/** What a restore does not touch, since the backup has nothing to put in its place. */
const Stays = ({
  patterns,
  text,
}: {
  patterns: readonly string[]
  text: (given: { patterns: string }) => string
}) => (patterns.length === 0 ? null : <Text>{text({ patterns: patterns.join(', ') })}</Text>)

const ofFiles = () => ({
  lead: t.restoreLead,
  checkedFirst: t.checkedFirst,
  exchangedRunning: t.exchangedRunning,
  exchangedStopped: t.exchangedStopped,
  provenRunning: t.provenRunning,
  provenStopped: t.provenStopped,
})
const ofMachine = (): ReturnType<typeof ofFiles> => ({
  lead: t.restoreLeadMachine,
  checkedFirst: t.checkedFirstMachine,
  exchangedRunning: t.exchangedRunningMachine,
  exchangedStopped: t.exchangedStoppedMachine,
  provenRunning: t.provenRunningMachine,
  provenStopped: t.provenStoppedMachine,
})

/** Replaces all files of the server by those of a backup, once it is said what happens. */
export function RestoreBackup({ backup, server, onDone }: RestoreProps) {
  const named = { server: server.name }
  const form = useForm<object, unknown>({
    initial: {},
    submit: () =>
      api('POST /api/servers/{id}/actions', {
        params: { id: server.id },
        body: { action: 'restore', backupId: backup.id, confirm: true },
      }),
    refreshes: REFRESHES,
    done: onDone,
  })
  const runs = server.desiredPower === 'on'
  const own = server.kind === 'vm' ? ofMachine() : ofFiles()
  return (
    <Form form={form} command submitText={t.restore} submitKind="danger">
      <Text>{rich(own.lead({ ...named, when: () => <Ago at={backup.createdAt} /> }))}</Text>
      <Steps
        steps={[
          own.checkedFirst(named),
          runs ? own.exchangedRunning(named) : own.exchangedStopped,
          runs ? own.provenRunning : own.provenStopped,
        ]}
      />
      <Stays patterns={backup.ignored} text={t.leftOutStays} />
      <Text>{t.restoreLoses}</Text>
    </Form>
  )
}

/** Servers that the backup can be restored to, found by what was typed. */
function useTargets({ id: sourceId, kind, ownerId }: Server, chosen: Choice | undefined) {
  const [typed, setTyped] = useState('')
  // The field shows the name of the chosen one, which nobody searches for.
  const sought = typed.trim() === chosen?.label ? '' : typed.trim()
  const found = useQuery({
    ...q('GET /api/servers', {
      query: {
        limit: 50,
        sort: 'name',
        ownerId,
        filter: writeFilter([{ field: 'kind', values: [kind] }]),
        ...(sought === '' ? {} : { q: sought }),
      },
    }),
    placeholderData: keepPreviousData,
  })
  const choices = (found.data?.items ?? [])
    // Without rights on all servers a person is also given those that others share.
    .filter((one) => one.ownerId === ownerId && one.id !== sourceId)
    .map(({ id, name }): Choice => ({ value: id, label: name }))
  const isShown = chosen === undefined || choices.some(({ value }) => value === chosen.value)
  return {
    choices: isShown ? choices : [chosen, ...choices],
    isNone: found.isSuccess && !found.isPlaceholderData && sought === '' && choices.length === 0,
    onSearch: setTyped,
  }
}

/** The same into another server of the same owner's. */
export function RestoreToOther({ backup, server, onDone }: RestoreProps) {
  const machine = server.kind === 'vm'
  const [chosen, setChosen] = useState<Choice>()
  const { choices, isNone, onSearch } = useTargets(server, chosen)
  const form = useForm<{ serverId: string }, unknown>({
    initial: { serverId: '' },
    submit: ({ serverId }) =>
      api('POST /api/servers/{id}/backups/{backupId}/restore', {
        params: { id: server.id, backupId: backup.id },
        body: { serverId, confirm: true },
      }),
    refreshes: REFRESHES,
    done: () => {
      toastDone(t.restoring({ server: chosen?.label ?? '' }), t.restoringText)
      onDone()
    },
  })
  const noTarget = machine ? t.noTargetMachine : t.noTarget
  const field = form.field('serverId')
  return (
    <Form
      form={form}
      command={form.values.serverId !== ''}
      submitText={t.restore}
      submitKind="danger"
      disabledBecause={isNone ? noTarget : form.values.serverId === '' ? t.chooseTarget : undefined}
    >
      <SelectField
        label={t.targetServer}
        description={isNone ? noTarget : machine ? t.targetHelpMachine : t.targetHelp}
        placeholder={t.searchTargets}
        searchable
        choices={choices}
        {...field}
        onSearch={onSearch}
        onChange={(id) => {
          setChosen(choices.find(({ value }) => value === id))
          field.onChange(id)
        }}
      />
      <Text>
        {rich(
          (machine ? t.otherLeadMachine : t.otherLead)({
            source: server.name,
            when: () => <Ago at={backup.createdAt} />,
          }),
        )}
      </Text>
      <Steps
        steps={
          machine
            ? [t.checkedFirstOtherMachine, t.exchangedOtherMachine, t.provenOtherMachine]
            : [t.checkedFirstOther, t.exchangedOther, t.provenOther]
        }
      />
      <Stays patterns={backup.ignored} text={t.leftOutStaysOther} />
      <Text>{t.otherLoses}</Text>
    </Form>
  )
}
