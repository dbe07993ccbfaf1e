import { useQuery } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { Choices } from '../../ui/choices/choices.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { WithDefault } from '../../ui/form/with-default.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { BACKUPS } from './backup-group.ts'
import {
  BUCKET_GOES_WITH,
  BucketFields,
  type BucketValues,
  bucketOf,
  bucketValues,
} from './bucket-fields.tsx'
import { PanelBackupSettings } from './panel-backup-settings.tsx'
import { PanelBackups } from './panel-backups.tsx'
import { useSettingsForm } from './settings-form.ts'
import { ProtectedNodes, StorageNodes } from './storage-nodes.tsx'
import { t } from './words.ts'

type Saved = Reply<'GET /api/settings/backups'>

interface Values extends BucketValues {
  place: Saved['place']
  storageNode: string
  secondStorageNode: string
  downloads: boolean
  keepScheduled: number | undefined
  protects: boolean
  protectPlace: 'other-node' | 's3'
  everyHours: number | undefined
  keepProtected: number | undefined
  protectedNodes: readonly string[]
  verify: Saved['verify']
}

const placesOffNode = () =>
  [
    { value: 'other-node', label: t.onOtherNode, description: t.onOtherNodeHelp },
    { value: 's3', label: t.inBucket, description: t.inBucketHelp },
  ] as const
const places = () =>
  [{ value: 'node', label: t.onNode, description: t.onNodeHelp }, ...placesOffNode()] as const

const intervals = () =>
  [
    { value: 'monthly', label: t.verifyMonthly, description: t.verifyMonthlyHelp },
    { value: 'weekly', label: t.verifyWeekly, description: t.verifyWeeklyHelp },
    { value: 'off', label: t.verifyOff, description: t.verifyOffHelp },
  ] as const

const valuesOf = ({
  place,
  storageNodeIds,
  s3,
  downloads,
  keepScheduled,
  protection,
  verify,
}: Saved): Values => ({
  place,
  storageNode: storageNodeIds[0] ?? '',
  secondStorageNode: storageNodeIds[1] ?? '',
  ...bucketValues(s3),
  downloads,
  keepScheduled,
  protects: protection !== null,
  protectPlace: protection?.place ?? (place === 's3' ? 's3' : 'other-node'),
  everyHours: protection?.everyHours ?? 24,
  keepProtected: protection?.keep ?? 3,
  protectedNodes: protection?.nodeIds ?? [],
  verify,
})

/** What is off has no place of its own: it is that of the other backups as the fields show it. */
const PROTECTION_GOES_WITH = {
  protects: ['protectPlace', 'everyHours', 'keepProtected', 'protectedNodes'],
  everyHours: ['protects', 'protectPlace'],
  keepProtected: ['protects', 'protectPlace'],
  protectedNodes: ['protects', 'protectPlace'],
} as const

/** The host's own backups, from the fields. */
const protectionOf = (values: Values): Saved['protection'] =>
  values.protects
    ? {
        place: values.protectPlace,
        everyHours: values.everyHours ?? 24,
        keep: values.keepProtected ?? 3,
        nodeIds: values.protectedNodes.length === 0 ? null : [...values.protectedNodes],
      }
    : null

/** Where backups are stored, who may download them, and how many scheduled ones are kept. */
export default function BackupsTab() {
  const settings = useQuery(q('GET /api/settings/backups'))
  const ofPanel = useQuery(q('GET /api/settings/panel-backups'))
  const standing = useQuery(q('GET /api/panel-backups'))
  return (
    <Loaded query={settings} lines={8}>
      {(saved) => (
        <Column>
          <Loaded query={standing} lines={4}>
            {(found) => <PanelBackups standing={found} />}
          </Loaded>
          <SaveForm label={t.backups} submitText={t.saveSettings}>
            <Loaded query={ofPanel} lines={6}>
              {(found) => <PanelBackupSettings saved={found} />}
            </Loaded>
            <BackupSettings saved={saved} />
          </SaveForm>
        </Column>
      )}
    </Loaded>
  )
}

function BackupSettings({ saved }: { saved: Saved }) {
  const form = useSettingsForm({
    group: BACKUPS,
    saved,
    valuesOf,
    goesWith: { ...BUCKET_GOES_WITH, ...PROTECTION_GOES_WITH },
    submit: (values, newest) =>
      api('PUT /api/settings/backups', {
        body: {
          place: values.place,
          storageNodeIds: [values.storageNode, values.secondStorageNode].filter((id) => id !== ''),
          downloads: values.downloads,
          keepScheduled: values.keepScheduled ?? newest.keepScheduled,
          protection: protectionOf(values),
          verify: values.verify,
          s3: bucketOf(values),
        },
      }),
    query: 'GET /api/settings/backups',
    hasSecrets: true,
    said: t.backupsSaved,
  })
  const { place, protects, protectPlace } = form.values
  const uses = (one: 'other-node' | 's3') => place === one || (protects && protectPlace === one)
  return (
    <>
      <FormSection title={form.cardOf('place')} description={t.backupPlaceText}>
        <WithDefault {...form.standing('place', places())}>
          <Choices {...form.field('place')} choices={places()} />
        </WithDefault>
      </FormSection>
      {uses('other-node') ? (
        <FormSection title={form.cardOf('storageNode')} description={t.storageText}>
          <StorageNodes
            first={form.field('storageNode', 'storageNodeIds')}
            second={form.field('secondStorageNode', 'storageNodeIds/1')}
          />
        </FormSection>
      ) : null}
      {uses('s3') ? (
        <FormSection title={form.cardOf('bucket')} description={t.bucketText}>
          <BucketFields saved={saved.s3} field={form.field} />
        </FormSection>
      ) : null}
      <FormSection title={form.cardOf('protects')} description={t.protectText}>
        <SwitchField {...form.field('protects', 'protection')} />
        {protects ? (
          <>
            <Choices
              {...form.field('protectPlace', 'protection/place')}
              choices={placesOffNode()}
            />
            <NumberField {...form.field('everyHours', 'protection/everyHours')} />
            <NumberField {...form.field('keepProtected', 'protection/keep')} />
            <ProtectedNodes {...form.field('protectedNodes', 'protection/nodeIds')} />
          </>
        ) : null}
      </FormSection>
      <FormSection title={form.cardOf('verify')} description={t.verifyText}>
        <WithDefault {...form.standing('verify', intervals())}>
          <Choices {...form.field('verify')} choices={intervals()} />
        </WithDefault>
      </FormSection>
      <FormSection title={form.cardOf('downloads')}>
        <WithDefault {...form.standing('downloads')}>
          <SwitchField {...form.field('downloads')} />
        </WithDefault>
      </FormSection>
      <FormSection title={form.cardOf('keepScheduled')} description={t.rotationText}>
        <WithDefault {...form.standing('keepScheduled')}>
          <NumberField {...form.field('keepScheduled')} />
        </WithDefault>
      </FormSection>
    </>
  )
}
