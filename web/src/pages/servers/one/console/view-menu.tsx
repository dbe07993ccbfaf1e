import ChevronDown from 'lucide-react/icons/chevron-down'
import { useId } from 'react'
import { Button } from '../../../../ui/buttons/button.tsx'
import { SwitchField } from '../../../../ui/choices/switch-field.tsx'
import { Floating } from '../../../../ui/floating/floating.tsx'
import { Column, Row, Text } from '../../../../ui/page/layout.tsx'
import { SIZES, type ViewSettings } from './view-settings.ts'
import { t } from './words.ts'

interface ViewMenuProps {
  settings: ViewSettings
  onChange: (change: Partial<ViewSettings>) => void
  onClear: () => void
}

const WIDTH = 260

/** Display settings that are rarely changed. */
export function ViewMenu({ settings, onChange, onClear }: ViewMenuProps) {
  const id = useId()
  const { times, wrap, readAloud, size } = settings
  const resize = (by: number): void =>
    onChange({ size: Math.min(SIZES.most, Math.max(SIZES.least, size + by)) })
  return (
    <>
      <Button kind="quiet" size="small" popoverTarget={id} aria-haspopup="dialog">
        {t.view}
        <ChevronDown aria-hidden />
      </Button>
      <Floating id={id} label={t.viewOfConsole} role="dialog" width={WIDTH} align="end">
        {(close) => (
          <Column gap={12}>
            <SwitchField
              label={t.timestamps}
              value={times}
              onChange={(on) => onChange({ times: on })}
            />
            <SwitchField label={t.wrap} value={wrap} onChange={(on) => onChange({ wrap: on })} />
            <SwitchField
              label={t.readAloud}
              description={t.readAloudHelp}
              value={readAloud}
              onChange={(on) => onChange({ readAloud: on })}
            />
            <Row between>
              <Text small>{t.textSize({ size })}</Text>
              <Row gap={4}>
                <Button
                  size="small"
                  aria-label={t.smaller}
                  disabledBecause={size <= SIZES.least ? t.smallest : undefined}
                  onClick={() => resize(-1)}
                >
                  {t.smallerSign}
                </Button>
                <Button
                  size="small"
                  aria-label={t.larger}
                  disabledBecause={size >= SIZES.most ? t.largest : undefined}
                  onClick={() => resize(1)}
                >
                  {t.largerSign}
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
              {t.clear}
            </Button>
          </Column>
        )}
      </Floating>
    </>
  )
}
