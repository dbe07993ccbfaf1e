import type { ScheduleOptions } from '@lodge/shared/schedules.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { Empty } from '../../ui/notices/states.tsx'
import { presetsOf, whyNoPreset } from './presets.ts'
import styles from './schedules.module.css'
import { t } from './words.ts'

interface EmptySchedulesProps {
  server: Server
  options: ScheduleOptions
  whyNot: string | undefined
}

/** Shown without schedules: three common presets. */
export const EmptySchedules = ({ server, options, whyNot }: EmptySchedulesProps) => (
  <Empty
    title={t.noSchedules}
    art="calm"
    action={
      whyNot === undefined ? (
        <ul className={styles.presets} aria-label={t.presets}>
          {presetsOf(server).map((preset) => {
            const why = whyNoPreset(preset, options)
            return (
              <li key={preset.id}>
                {why === undefined ? (
                  <Link
                    to={paths.newSchedule}
                    params={{ id: server.id }}
                    search={{ preset: preset.id }}
                  >
                    <b>{preset.name}</b>
                    <small>{preset.about}</small>
                  </Link>
                ) : (
                  <span>
                    <b>{preset.name}</b>
                    <small>{why}</small>
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      ) : undefined
    }
  >
    {whyNot ?? t.noSchedulesText}
  </Empty>
)
