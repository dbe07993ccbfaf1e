import { writeFilter } from '@lodge/shared/lists/filter.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../../api.ts'
import { q } from '../../../../query.ts'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { formatBytes } from '../../../../ui/data/numbers.ts'
import { Ago } from '../../../../ui/data/time.tsx'
import type { Choice } from '../../../../ui/fields/field-props.ts'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { BackUpFirst, whyNoBackup } from './back-up-first.tsx'
import { REFRESHES, type RestoreProps, Stays, Steps } from './restore-parts.tsx'
import { backupsQuery } from './use-backups.ts'
import { t } from './words.ts'

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

/** Replaces all files of another server of the same owner's by those of a backup. */
export function RestoreToOther({ backup, server, onDone }: RestoreProps) {
  const machine = server.kind === 'vm'
  const [chosen, setChosen] = useState<Choice>()
  const { choices, isNone, onSearch } = useTargets(server, chosen)
  // Without the right to see its backups, only the attempt tells.
  const target = useQuery({
    ...backupsQuery(chosen?.value ?? '', 1),
    enabled: chosen !== undefined,
    retry: false,
  })
  const cannot = whyNoBackup(target.data?.standing)
  const form = useForm<{ serverId: string; backUpFirst: boolean }, unknown>({
    initial: { serverId: '', backUpFirst: true },
    submit: ({ serverId, backUpFirst: wanted }) => {
      const backUpFirst = wanted && cannot === undefined
      return api('POST /api/servers/{id}/backups/{backupId}/restore', {
        params: { id: server.id, backupId: backup.id },
        body: { serverId, confirm: true, ...(backUpFirst && { backUpFirst }) },
      })
    },
    refreshes: REFRESHES,
    done: () => {
      toastDone(t.restoring({ server: chosen?.label ?? '' }), t.seeJobs)
      onDone()
    },
  })
  const backUpFirst = form.values.backUpFirst && cannot === undefined
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
            size: formatBytes(backup.sizeBytes ?? 0),
            when: () => <Ago at={backup.createdAt} />,
          }),
        )}
      </Text>
      <Steps
        steps={[
          ...(backUpFirst ? [t.backedUpFirstOther] : []),
          ...(machine
            ? [t.checkedFirstOtherMachine, t.exchangedOtherMachine, t.provenOtherMachine]
            : [t.checkedFirstOther, t.exchangedOther, t.provenOther]),
        ]}
      />
      <Stays patterns={backup.ignored} text={t.leftOutStaysOther} />
      <BackUpFirst field={form.field('backUpFirst')} cannot={cannot} />
      {backUpFirst ? null : <Text>{t.otherLoses}</Text>}
    </Form>
  )
}
