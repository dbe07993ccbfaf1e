import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { Button, IconButton } from '../../../../ui/buttons/button.tsx'
import { formatMib } from '../../../../ui/data/numbers.ts'
import { NumberField, SizeField } from '../../../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import type { FormState } from '../../../../ui/form/form.tsx'
import { Column, Row } from '../../../../ui/page/layout.tsx'
import { atMost } from '../at-most.ts'
import { machineSizes } from '../own/own-machine.ts'
import { t } from '../words.ts'
import type { VmValues } from './vm-values.ts'

const MOST_EXTRA = 7

interface VmSizeFieldsProps {
  form: FormState<VmValues>
  /** What the limits leave: MiB, or per cent of a core; undefined when unlimited. */
  most?: (part: 'memoryMb' | 'cpuPercent' | 'diskMb') => number | undefined
}

/** Processors, memory, the system disk and further disks. */
export function VmSizeFields({ form, most = () => undefined }: VmSizeFieldsProps) {
  const { values, errors, bounds } = form
  const disks = values.extraDisksMb
  const sizes = machineSizes(values)
  const vcpus = form.field('vcpus')
  return (
    <Column>
      <FieldGrid>
        <NumberField
          label={t.processors}
          {...atMost({ ...vcpus, error: vcpus.error ?? errors['vm/vcpus'] }, most('cpuPercent'), {
            amount: sizes.cpuPercent,
            write: (percent) => String(Math.floor(percent / 100)),
          })}
        />
        <SizeField
          label={t.memory}
          {...atMost(form.field('memoryMb'), most('memoryMb'), {
            amount: sizes.memoryMb,
            write: formatMib,
          })}
        />
        <SizeField
          label={t.systemDisk}
          {...atMost(form.field('diskMb'), most('diskMb'), {
            amount: sizes.diskMb,
            write: formatMib,
            say: disks.length > 0 ? t.atMostTogether : t.atMost,
          })}
        />
      </FieldGrid>
      {disks.map((sizeMb, index) => (
        <Row key={index} nowrap>
          <SizeField
            label={t.extraDisk({ number: index + 2 })}
            value={sizeMb}
            error={errors[`vm/extraDisks/${index}/sizeMb`]}
            {...(bounds[`vm/extraDisks/${index}/sizeMb`] && {
              bound: bounds[`vm/extraDisks/${index}/sizeMb`],
            })}
            onChange={(next) =>
              form.set(
                'extraDisksMb',
                disks.map((old, at) => (at === index ? next : old)),
              )
            }
          />
          <IconButton
            label={t.removeDisk({ number: index + 2 })}
            onClick={() =>
              form.set(
                'extraDisksMb',
                disks.filter((_, at) => at !== index),
              )
            }
          >
            <Trash2 />
          </IconButton>
        </Row>
      ))}
      <Row>
        <Button
          size="small"
          icon={<Plus />}
          disabledBecause={disks.length >= MOST_EXTRA ? t.diskMaximum : undefined}
          onClick={() => form.set('extraDisksMb', [...disks, 20_480])}
        >
          {t.addDisk}
        </Button>
      </Row>
    </Column>
  )
}
