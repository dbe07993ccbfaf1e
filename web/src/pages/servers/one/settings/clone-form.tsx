import { CloneServer } from '@lodge/shared/clones.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { api, type Reply } from '../../../../api.ts'
import { paths } from '../../../../paths.ts'
import { q, qAll } from '../../../../query.ts'
import { useMissing } from '../../../../session/session.ts'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { Column, Text } from '../../../../ui/page/layout.tsx'
import { type Node, nodesWith, OWN_DISK, storagesOf } from '../../create/container/values.ts'
import { LimitSwitch } from '../../create/limit-switch.tsx'
import { OwnerField } from '../../create/owner-field.tsx'
import { useServerCreated } from '../../create/server-created.ts'
import { t } from './words.ts'

/** Which files the clone gets: none, the current ones, or those of a backup by its id. */
const NONE = 'none'
const PRESENT = 'present'

interface Values {
  name: string
  files: string
  ownerId: string
  nodeId: string
  /** The id of a shared storage, or one of these two. */
  storageId: string
  force: boolean
}
const AS_ORIGINAL = 'original'

const bodyOf = ({ name, files, ownerId, nodeId, storageId, force }: Values): CloneServer => ({
  name,
  ownerId,
  ...(files === PRESENT && { includeData: true }),
  ...(files !== PRESENT && files !== NONE && { backupId: files }),
  ...(nodeId === '' ? {} : { nodeId }),
  ...(storageId !== AS_ORIGINAL && { storageId: storageId === OWN_DISK ? null : storageId }),
  ...(force && { force }),
})

const isOn = (storageId: string, nodeId: string, nodes: readonly Node[]): boolean =>
  nodesWith(storageId, nodes).some(({ id }) => id === nodeId)

/** Texts that differ between files of a container server and disks of a machine. */
const wordsOf = ({ kind }: Server) =>
  kind === 'vm'
    ? {
        label: t.cloneDisks,
        help: t.cloneDisksHelp,
        present: t.cloneDisksPresent,
        none: t.cloneDisksNone,
      }
    : {
        label: t.cloneFiles,
        help: t.cloneFilesHelp,
        present: t.cloneFilesPresent,
        none: t.cloneFilesNone,
      }

/** Name, owner, location and files or disks of the clone. */
export default function CloneForm({ server }: { server: Server }) {
  const missing = useMissing()
  const mayCopy = missing('servers.backups') === undefined
  const nodes = useQuery(qAll('GET /api/nodes'))
  const backups = useQuery({
    ...q('GET /api/servers/{id}/backups', { params: { id: server.id }, query: { limit: 25 } }),
    enabled: mayCopy,
  })
  const form = useForm<Values, Reply<'POST /api/servers/{id}/clone'>>({
    initial: {
      name: t.cloneName({ server: server.name }).slice(0, 64),
      files: mayCopy ? PRESENT : NONE,
      ownerId: server.ownerId,
      nodeId: '',
      storageId: AS_ORIGINAL,
      force: false,
    },
    schema: CloneServer,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/servers/{id}/clone', { params: { id: server.id }, body: bodyOf(values) }),
    done: useServerCreated(server.kind === 'vm' ? paths.serverScreen : paths.serverConsole),
  })
  const isVm = server.kind === 'vm'
  const words = wordsOf(server)
  const all = nodes.data?.items ?? []
  const storages = storagesOf(all)
  const { storageId } = form.values
  const able = nodesWith(storages.some(({ id }) => id === storageId) ? storageId : '', all)
  const chooseStorage = (chosen: string) => {
    const hasIt = storages.every(({ id }) => id !== chosen) || isOn(chosen, form.values.nodeId, all)
    form.setValues((old) => ({ ...old, storageId: chosen, nodeId: hasIt ? old.nodeId : '' }))
  }
  const kept = (backups.data?.items ?? []).filter(({ state }) => state === 'good')
  return (
    <Form form={form} command submitText={t.cloneServer}>
      <Text muted>{isVm ? t.cloneMachineLead : t.cloneLead}</Text>
      <TextField label={t.name} autoComplete="off" autoFocus {...form.field('name')} />
      <OwnerField
        present={{ id: server.ownerId, email: server.ownerEmail }}
        {...form.field('ownerId')}
      />
      <SelectField
        label={words.label}
        description={mayCopy ? words.help : missing('servers.backups')}
        choices={[
          ...(mayCopy ? [{ value: PRESENT, label: words.present }] : []),
          { value: NONE, label: words.none },
          ...kept.map(({ id, name }) => ({
            value: id,
            label: t.cloneFilesBackup({ backup: name }),
          })),
        ]}
        {...form.field('files')}
      />
      {isVm ? (
        <Column gap={6}>
          <Text muted>{t.cloneMachineNew}</Text>
          <Text muted>{t.cloneMachineLeft}</Text>
          <Text muted>{t.cloneMachineKeys}</Text>
        </Column>
      ) : null}
      {storages.length === 0 ? null : (
        <SelectField
          label={isVm ? t.cloneStorageDisks : t.cloneStorage}
          {...form.field('storageId')}
          onChange={chooseStorage}
          choices={[
            { value: AS_ORIGINAL, label: t.cloneStorageSame },
            { value: OWN_DISK, label: t.cloneStorageDisk },
            ...storages.map(({ id, name }) => ({
              value: id,
              label: t.cloneStorageOf({ storage: name }),
            })),
          ]}
        />
      )}
      <SelectField
        label={t.cloneNode}
        placeholder={t.cloneNodeAny}
        choices={able.map(({ id, name, location }) => ({
          value: id,
          label: t.cloneNodeChoice({ node: name, location }),
        }))}
        {...form.field('nodeId')}
      />
      <LimitSwitch form={form} thing="server" />
    </Form>
  )
}
