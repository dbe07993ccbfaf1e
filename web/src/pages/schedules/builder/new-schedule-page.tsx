import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { paths } from '../../../paths.ts'
import { useMe } from '../../../session/session.ts'
import { Tiles } from '../../../ui/choices/tiles.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Column } from '../../../ui/page/layout.tsx'
import { callTab } from '../../../ui/page/page.tsx'
import { useServer } from '../../servers/one/use-server.ts'
import { presetsOf, whyNoPreset } from '../presets.ts'
import { useSchedules } from '../use-schedules.ts'
import { titleOf } from '../when-words.ts'
import { t } from '../words.ts'
import { ScheduleForm } from './schedule-form.tsx'
import { newValues } from './schedule-values.ts'

const BLANK = 'blank'

/** Writes a new schedule, from a preset or from nothing. */
export default function NewSchedulePage() {
  const server = useServer()
  const me = useMe()
  const navigate = useNavigate()
  const schedules = useSchedules(server.id)
  const { preset: chosen = BLANK } = useSearch({ from: '/in/servers/$id/schedules/new' })
  useEffect(() => callTab(t.newSchedule), [])
  const presets = presetsOf(server)
  const preset = presets.find(({ id }) => id === chosen)
  const params = { id: server.id }
  return (
    <Loaded query={schedules}>
      {({ options }) => {
        const offered = presets.filter((one) => whyNoPreset(one, options) === undefined)
        return (
          <Column gap={24}>
            <h2>{t.newSchedule}</h2>
            <Tiles
              legend={t.presets}
              items={[...offered, { id: BLANK, name: t.blank, about: t.blankText }]}
              keyOf={({ id }) => id}
              chosen={preset?.id ?? BLANK}
              onChoose={(id) =>
                void navigate({
                  to: paths.newSchedule,
                  params,
                  search: id === BLANK ? {} : { preset: id },
                  replace: true,
                })
              }
            >
              {({ name, about }) => (
                <>
                  <b>{name}</b>
                  <small>{about}</small>
                </>
              )}
            </Tiles>
            <ScheduleForm
              key={preset?.id ?? BLANK}
              serverId={server.id}
              initial={newValues(preset, me.timeZone ?? options.timezone)}
              options={options}
              onDone={(made) => {
                toastDone(t.created, titleOf(made))
                void navigate({
                  to: paths.schedule,
                  params: { ...params, scheduleId: made.id },
                })
              }}
            />
          </Column>
        )
      }}
    </Loaded>
  )
}
