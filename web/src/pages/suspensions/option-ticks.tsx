import type { SuspensionOptions } from '@lodge/shared/suspensions.ts'
import { Tick } from '../../ui/choices/tick.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { Labelled } from '../../ui/form/section.tsx'
import { Column } from '../../ui/page/layout.tsx'
import styles from './suspensions.module.css'
import { t } from './words.ts'

type Switch = Exclude<
  keyof SuspensionOptions,
  // Options that have no effect yet.
  'deleteServersAfterDays' | 'allowTickets' | 'pauseBilling'
>

const GROUPS: readonly {
  title: () => string
  options: readonly { name: Switch; label: () => string; help?: () => string }[]
}[] = [
  {
    title: () => t.servers,
    options: [{ name: 'stopServers', label: () => t.stopServers, help: () => t.stopServersHelp }],
  },
  {
    title: () => t.access,
    options: [
      { name: 'blockSignIn', label: () => t.blockSignIn, help: () => t.blockSignInHelp },
      { name: 'revokeTokens', label: () => t.revokeTokens, help: () => t.revokeTokensHelp },
      { name: 'allowDataExport', label: () => t.allowDataExport },
      { name: 'allowAppeal', label: () => t.allowAppeal },
    ],
  },
  {
    title: () => t.told,
    options: [
      { name: 'notifyCustomer', label: () => t.notifyCustomer },
      { name: 'hideReason', label: () => t.hideReason },
    ],
  },
]

interface OptionTicksProps {
  value: SuspensionOptions
  onChange: (value: SuspensionOptions) => void
}

/** The effects of a suspension, in groups. */
export function OptionTicks({ value, onChange }: OptionTicksProps) {
  return (
    <Column gap={14}>
      {GROUPS.map(({ title, options }) => (
        <fieldset key={options[0]?.name} className={styles.group} aria-label={title()}>
          <Labelled label={title()}>
            <Column gap={8}>
              {options.map(({ name, label, help }) => (
                <Tick
                  key={name}
                  checked={value[name]}
                  label={label()}
                  description={help?.()}
                  onChange={(checked) => onChange({ ...value, [name]: checked })}
                />
              ))}
            </Column>
          </Labelled>
        </fieldset>
      ))}
      <NumberField
        label={t.deleteAfter}
        description={t.deleteAfterHelp}
        value={value.deleteServersAfterDays ?? undefined}
        onChange={(days) => onChange({ ...value, deleteServersAfterDays: days ?? null })}
      />
    </Column>
  )
}

/** The active options of a suspension, in words. */
export const optionWords = (value: SuspensionOptions): string[] =>
  GROUPS.flatMap(({ options }) => options.filter(({ name }) => value[name])).map(({ label }) =>
    label(),
  )
