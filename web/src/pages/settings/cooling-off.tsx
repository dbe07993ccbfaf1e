import { useQuery } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { WithDefault } from '../../ui/form/with-default.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { useSettingsForm } from './settings-form.ts'
import { COOLING_OFF } from './settings-groups.ts'
import { t } from './words.ts'

type Saved = Reply<'GET /api/settings/self-service'>

/** For how long customers can undo the deletion of servers and of files. */
export function CoolingOff() {
  const settings = useQuery(q('GET /api/settings/self-service'))
  return (
    <Loaded query={settings} lines={3}>
      {(saved) => <PeriodFields saved={saved} />}
    </Loaded>
  )
}

interface Periods {
  coolingOffHours: number | undefined
  deletedFilesDays: number | undefined
}

function PeriodFields({ saved }: { saved: Saved }) {
  const form = useSettingsForm({
    group: COOLING_OFF,
    saved,
    valuesOf: ({ coolingOffHours, deletedFilesDays }): Periods => ({
      coolingOffHours,
      deletedFilesDays,
    }),
    submit: ({ coolingOffHours, deletedFilesDays }, newest) =>
      api('PUT /api/settings/self-service', {
        body: {
          ...newest,
          coolingOffHours: coolingOffHours ?? newest.coolingOffHours,
          deletedFilesDays: deletedFilesDays ?? newest.deletedFilesDays,
        },
      }),
    query: 'GET /api/settings/self-service',
    said: t.undoPeriodSaved,
  })
  return (
    <>
      <FormSection title={form.cardOf('coolingOffHours')} description={t.deletingServersText}>
        <WithDefault {...form.standing('coolingOffHours')}>
          <NumberField {...form.field('coolingOffHours')} />
        </WithDefault>
      </FormSection>
      <FormSection title={form.cardOf('deletedFilesDays')} description={t.deletedFilesText}>
        <WithDefault {...form.standing('deletedFilesDays')}>
          <NumberField {...form.field('deletedFilesDays')} />
        </WithDefault>
      </FormSection>
    </>
  )
}
