import ChevronDown from 'lucide-react/icons/chevron-down'
import { useId } from 'react'
import { Button } from '../../../../ui/buttons/button.tsx'
import { SwitchField } from '../../../../ui/choices/switch-field.tsx'
import { Floating } from '../../../../ui/floating/floating.tsx'
import { Column, Row, Text } from '../../../../ui/page/layout.tsx'
import { SIZES, type ViewSettings } from './view-settings.ts'

interface ViewMenuProps {
  settings: ViewSettings
  onChange: (change: Partial<ViewSettings>) => void
  onClear: () => void
}

const WIDTH = 260

/** How the output is shown: what is set once and rarely touched. */
export function ViewMenu({ settings, onChange, onClear }: ViewMenuProps) {
  const id = useId()
  const { times, wrap, readAloud, size } = settings
  const resize = (by: number): void =>
    onChange({ size: Math.min(SIZES.most, Math.max(SIZES.least, size + by)) })
  return (
    <>
      <Button kind="quiet" size="small" popoverTarget={id} aria-haspopup="dialog">
        View
        <ChevronDown aria-hidden />
      </Button>
      <Floating id={id} label="View of the console" role="dialog" width={WIDTH} align="end">
        {(close) => (
          <Column gap={12}>
            <SwitchField
              label="Timestamps"
              value={times}
              onChange={(on) => onChange({ times: on })}
            />
            <SwitchField
              label="Wrap long lines"
              value={wrap}
              onChange={(on) => onChange({ wrap: on })}
            />
            <SwitchField
              label="Screen reader mode"
              description="Reads new output aloud. Switch it off if a flood of output is slow"
              value={readAloud}
              onChange={(on) => onChange({ readAloud: on })}
            />
            <Row between>
              <Text small>Text size {size}</Text>
              <Row gap={4}>
                <Button
                  size="small"
                  aria-label="Smaller text"
                  disabledBecause={size <= SIZES.least ? 'This is the smallest' : undefined}
                  onClick={() => resize(-1)}
                >
                  A−
                </Button>
                <Button
                  size="small"
                  aria-label="Larger text"
                  disabledBecause={size >= SIZES.most ? 'This is the largest' : undefined}
                  onClick={() => resize(1)}
                >
                  A+
                </Button>
              </Row>
            </Row>
            <Button
              size="small"
              onClick={() => {
                onClear()
                close()
              }}
            >
              Clear screen
            </Button>
          </Column>
        )}
      </Floating>
    </>
  )
}
