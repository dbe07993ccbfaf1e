import type { BackupStanding } from '@lodge/shared/backups.ts'
import { api } from '../../../../api.ts'
import { formatBytes } from '../../../../ui/data/numbers.ts'
import { Ago } from '../../../../ui/data/time.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { BackUpFirst, whyNoBackup } from './back-up-first.tsx'
import { REFRESHES, type RestoreProps, Stays, Steps } from './restore-parts.tsx'
import { t } from './words.ts'

const ofFiles = () => ({
  lead: t.restoreLead,
  backedUpFirst: t.backedUpFirst,
  checkedFirst: t.checkedFirst,
  exchangedRunning: t.exchangedRunning,
  exchangedStopped: t.exchangedStopped,
  provenRunning: t.provenRunning,
  provenStopped: t.provenStopped,
})
const ofMachine = (): ReturnType<typeof ofFiles> => ({
  lead: t.restoreLeadMachine,
  backedUpFirst: t.backedUpFirstMachine,
  checkedFirst: t.checkedFirstMachine,
  exchangedRunning: t.exchangedRunningMachine,
  exchangedStopped: t.exchangedStoppedMachine,
  provenRunning: t.provenRunningMachine,
  provenStopped: t.provenStoppedMachine,
})

/** Replaces all files of the server with those of a backup, after an explanation of the effects. */
export function RestoreBackup({
  backup,
  server,
  standing,
  onDone,
}: RestoreProps & { standing: BackupStanding }) {
  const named = { server: server.name }
  const cannot = whyNoBackup(standing)
  const form = useForm<{ backUpFirst: boolean }, unknown>({
    initial: { backUpFirst: true },
    submit: ({ backUpFirst: wanted }) => {
      const backUpFirst = wanted && cannot === undefined
      return api('POST /api/servers/{id}/actions', {
        params: { id: server.id },
        body: {
          ...{ action: 'restore', backupId: backup.id, confirm: true },
          ...(backUpFirst && { backUpFirst }),
        },
      })
    },
    refreshes: REFRESHES,
    done: onDone,
  })
  const backUpFirst = form.values.backUpFirst && cannot === undefined
  const runs = server.desiredPower === 'on'
  const own = server.kind === 'vm' ? ofMachine() : ofFiles()
  return (
    <Form form={form} command submitText={t.restore} submitKind="danger">
      <Text>
        {rich(
          own.lead({
            ...named,
            size: formatBytes(backup.sizeBytes ?? 0),
            when: () => <Ago at={backup.createdAt} />,
          }),
        )}
      </Text>
      <Steps
        steps={[
          ...(backUpFirst ? [own.backedUpFirst(named)] : []),
          own.checkedFirst(named),
          runs ? own.exchangedRunning(named) : own.exchangedStopped,
          runs ? own.provenRunning : own.provenStopped,
        ]}
      />
      <Stays patterns={backup.ignored} text={t.leftOutStays} />
      <BackUpFirst field={form.field('backUpFirst')} cannot={cannot} />
      {backUpFirst ? null : <Text>{t.restoreLoses}</Text>}
    </Form>
  )
}
