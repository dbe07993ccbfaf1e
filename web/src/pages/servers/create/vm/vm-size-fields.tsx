import { formatMib } from '@lodge/shared/units.ts'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { Button, IconButton } from '../../../../ui/buttons/button.tsx'
import { NumberField, SizeField } from '../../../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import type { FormState } from '../../../../ui/form/form.tsx'
import { Column, Row } from '../../../../ui/page/layout.tsx'
import type { VmValues } from './vm-values.ts'

const MOST_EXTRA = 7

interface VmSizeFieldsProps {
  form: FormState<VmValues>
  /** What the limits leave: MiB, or per cent of a core; undefined when unlimited. */
  most?: (part: 'memoryMb' | 'cpuPercent' | 'diskMb') => number | undefined
}

const atMost = (bound: number | undefined, write: (amount: number) => string) =>
  bound === undefined ? {} : { description: `At most ${write(bound)} now` }

/** Processors, memory, the system disk and further disks. */
export function VmSizeFields({ form, most = () => undefined }: VmSizeFieldsProps) {
  const { values, errors, bounds } = form
  const disks = values.extraDisksMb
  return (
    <Column>
      <FieldGrid>
        <NumberField
          label="Processors"
          {...atMost(most('cpuPercent'), (percent) => String(Math.floor(percent / 100)))}
          {...form.field('vcpus')}
          error={errors.vcpus ?? errors['vm/vcpus']}
        />
        <SizeField
          label="Memory"
          {...atMost(most('memoryMb'), formatMib)}
          {...form.field('memoryMb')}
        />
        <SizeField
          label="System disk"
          {...atMost(
            most('diskMb'),
            (mb) => `${formatMib(mb)}${disks.length > 0 ? ' with the others' : ''}`,
          )}
          {...form.field('diskMb')}
        />
      </FieldGrid>
      {disks.map((sizeMb, index) => (
        <Row key={index} nowrap>
          <SizeField
            label={`Disk ${index + 2}`}
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
            label={`Leave disk ${index + 2} out`}
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
          disabledBecause={
            disks.length >= MOST_EXTRA ? 'A machine has eight disks at most' : undefined
          }
          onClick={() => form.set('extraDisksMb', [...disks, 20_480])}
        >
          One more disk
        </Button>
      </Row>
    </Column>
  )
}
