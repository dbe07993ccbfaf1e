import { useQuery } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { WithDefault } from '../../ui/form/with-default.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { addressFault, linesOf } from './address-lines.ts'
import { useSettingsForm } from './settings-form.ts'
import { SECURITY } from './settings-groups.ts'
import { t } from './words.ts'

type Saved = Reply<'GET /api/settings/security'>

interface Values {
  addresses: string
  auditDays: number | undefined
}

/** The networks administrators may use, and how long audit entries are kept. */
export default function SecurityTab() {
  const settings = useQuery(q('GET /api/settings/security'))
  return (
    <Loaded query={settings} lines={6}>
      {(saved) => (
        <SaveForm label={t.security} submitText={t.saveSettings}>
          <SecuritySettings saved={saved} />
        </SaveForm>
      )}
    </Loaded>
  )
}

function SecuritySettings({ saved }: { saved: Saved }) {
  const form = useSettingsForm({
    group: SECURITY,
    saved,
    valuesOf: ({ administratorAddresses, auditDays }): Values => ({
      addresses: administratorAddresses.join('\n'),
      auditDays,
    }),
    submit: ({ addresses, auditDays }, newest) =>
      api('PUT /api/settings/security', {
        body: {
          ...newest,
          administratorAddresses: linesOf(addresses),
          auditDays: auditDays ?? newest.auditDays,
        },
      }),
    query: 'GET /api/settings/security',
    said: t.securitySaved,
  })
  return (
    <>
      <FormSection title={form.cardOf('addresses')} description={t.administratorAddressesText}>
        <WithDefault {...form.standing('addresses')}>
          <AreaField
            rows={5}
            mono
            placeholder="192.0.2.0/24"
            {...form.field('addresses')}
            error={addressFault(linesOf(form.values.addresses), form.errors)}
          />
        </WithDefault>
      </FormSection>
      <FormSection title={t.secondFactor}>
        <Text small>{t.secondFactorText}</Text>
      </FormSection>
      <FormSection title={form.cardOf('auditDays')} description={t.auditLogText}>
        <WithDefault {...form.standing('auditDays')}>
          <NumberField {...form.field('auditDays')} />
        </WithDefault>
      </FormSection>
    </>
  )
}
