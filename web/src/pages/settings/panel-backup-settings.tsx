import { api, type Reply } from '../../api.ts'
import { Choices } from '../../ui/choices/choices.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { BUCKET_GOES_WITH, BucketFields, bucketOf, bucketValues } from './bucket-fields.tsx'
import { useSettingsForm } from './settings-form.ts'
import { PANEL_BACKUPS } from './settings-groups.ts'
import { t } from './words.ts'

type Saved = Reply<'GET /api/settings/panel-backups'>

const NEVER = 'never'
const OWN = 'own'

const times = () => [
  { value: NEVER, label: t.panelNever },
  { value: '0 */6 * * *', label: t.panelSixHourly },
  { value: '0 3 * * *', label: t.panelDaily },
  { value: '0 3 * * SUN', label: t.panelWeekly },
  { value: OWN, label: t.panelOwnTimes },
]

const places = () =>
  [
    { value: 'folder', label: t.panelInFolder, description: t.panelInFolderHelp },
    { value: 's3', label: t.panelInBucket, description: t.panelInBucketHelp },
  ] as const

function valuesOf({ schedule, place, folder, keep, media, s3 }: Saved) {
  const cron = schedule?.cron ?? ''
  const isUsual = times().some(({ value }) => value === cron)
  return {
    when: schedule === null ? NEVER : isUsual ? cron : OWN,
    cron,
    place,
    folder: folder ?? '',
    ...bucketValues(s3),
    keep: keep as number | undefined,
    media,
  }
}
type Values = ReturnType<typeof valuesOf>

/** Unchanged times keep the zone of the person who chose them. */
function scheduleOf({ when, ...rest }: Pick<Values, 'when' | 'cron'>, saved: Saved) {
  if (when === NEVER) return null
  const cron = when === OWN ? rest.cron : when
  if (saved.schedule?.cron === cron) return saved.schedule
  return { cron, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}

/** When and where the panel itself is backed up. */
export function PanelBackupSettings({ saved }: { saved: Saved }) {
  const form = useSettingsForm({
    group: PANEL_BACKUPS,
    saved,
    valuesOf,
    goesWith: { ...BUCKET_GOES_WITH, cron: ['when'], when: ['cron'] },
    submit: (values, newest) =>
      api('PUT /api/settings/panel-backups', {
        body: {
          schedule: scheduleOf(values, newest),
          place: values.place,
          folder: values.folder.trim() || null,
          keep: values.keep ?? newest.keep,
          media: values.media,
          s3: bucketOf(values),
        },
      }),
    query: 'GET /api/settings/panel-backups',
    refreshes: ['GET /api/panel-backups'],
    hasSecrets: true,
    said: t.panelBackupsSaved,
  })
  const { values } = form
  const zone = scheduleOf(values, saved)?.zone
  return (
    <>
      <FormSection title={form.cardOf('when')} description={t.panelBackupText}>
        <SelectField
          {...form.field('when', 'schedule')}
          description={zone === undefined ? t.panelWhenHelp : t.panelWhenHelpIn({ zone })}
          choices={times()}
        />
        {values.when === OWN ? (
          <TextField
            width="name"
            mono
            placeholder="30 2 * * *"
            autoComplete="off"
            {...form.field('cron', 'schedule/cron')}
          />
        ) : null}
        <NumberField {...form.field('keep')} />
        <SwitchField {...form.field('media')} />
      </FormSection>
      <FormSection title={form.cardOf('place')} description={t.panelPlaceText}>
        <Choices {...form.field('place')} choices={places()} />
        {values.place === 'folder' ? (
          <TextField placeholder="/mnt/backups" autoComplete="off" {...form.field('folder')} />
        ) : (
          <BucketFields saved={saved.s3} field={form.field} />
        )}
      </FormSection>
    </>
  )
}
