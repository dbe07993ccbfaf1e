import { SelectField } from '../../ui/choices/select-field.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import styles from './appearance.module.css'
import type { BrandForm } from './brand-form.ts'
import { t } from './words.ts'

const severities = () =>
  [
    { value: 'info', label: t.severityInfo },
    { value: 'warning', label: t.severityWarning },
    { value: 'critical', label: t.severityCritical },
  ] as const
const audiences = () =>
  [
    { value: 'all', label: t.audienceAll },
    { value: 'customers', label: t.audienceCustomers },
    { value: 'administrators', label: t.audienceAdministrators },
  ] as const

/** The line above every page: its text, its audience, its start and its end. */
export function AnnouncementFields({ form }: { form: BrandForm }) {
  const { severity, audience, startsAt, endsAt } = form.values
  return (
    <FormSection title={t.announcement} description={t.announcementText}>
      <SwitchField label={t.announceEnabled} {...form.field('announceEnabled')} />
      <TextField label={t.announceText} {...form.field('announceText')} />
      <TextField label={t.announceLink} placeholder="https://" {...form.field('announceLink')} />
      <SelectField
        label={t.severity}
        choices={severities()}
        value={severity}
        onChange={(next) =>
          form.set('severity', severities().find(({ value }) => value === next)?.value ?? severity)
        }
      />
      <SelectField
        label={t.audience}
        choices={audiences()}
        value={audience}
        onChange={(next) =>
          form.set('audience', audiences().find(({ value }) => value === next)?.value ?? audience)
        }
      />
      <div className={styles.times}>
        <label>
          {t.startsAt}
          <input
            type="datetime-local"
            value={startsAt}
            onChange={(event) => form.set('startsAt', event.currentTarget.value)}
          />
        </label>
        <label>
          {t.endsAt}
          <input
            type="datetime-local"
            value={endsAt}
            onChange={(event) => form.set('endsAt', event.currentTarget.value)}
          />
        </label>
      </div>
      <SwitchField label={t.dismissible} {...form.field('dismissible')} />
    </FormSection>
  )
}
