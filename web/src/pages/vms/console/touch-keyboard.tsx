import Keyboard from 'lucide-react/icons/keyboard'
import { type KeyboardEvent, type RefObject, useRef } from 'react'
import { IconButton } from '../../../ui/buttons/button.tsx'
import styles from '../vm.module.css'
import { t } from '../words.ts'
import type { MachineScreen } from './screen.ts'
import { editsOf, namedKey } from './touch-keys.ts'

/** The field always holds characters to delete: an empty one reports no Backspace. */
const FILL = ' '.repeat(64)

interface TouchKeyboardProps {
  screen: RefObject<MachineScreen | undefined>
  disabledBecause: string | undefined
}

/** Opens a phone's or tablet's keyboard and forwards what is typed. */
export function TouchKeyboard({ screen, disabledBecause }: TouchKeyboardProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const known = useRef(FILL)

  const onKeyDown = (event: KeyboardEvent): void => {
    const named = namedKey(event.key)
    if (!named || event.nativeEvent.isComposing) return
    event.preventDefault()
    screen.current?.chord([named])
  }
  const read = (): void => {
    const text = field.current?.value ?? FILL
    const { removed, added } = editsOf(known.current, text)
    known.current = text
    screen.current?.replace(removed, added)
  }
  const fill = (): void => {
    known.current = FILL
    if (!field.current) return
    field.current.value = FILL
    // When first focused, the field has its caret at the start.
    field.current.setSelectionRange(FILL.length, FILL.length)
  }
  return (
    <>
      <IconButton
        label={t.deviceKeyboard}
        size="small"
        disabledBecause={disabledBecause}
        onClick={() => field.current?.focus()}
      >
        <Keyboard />
      </IconButton>
      <textarea
        ref={field}
        className={styles.keys}
        aria-label={t.keysFor}
        tabIndex={-1}
        rows={1}
        defaultValue={FILL}
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        onFocus={fill}
        onKeyDown={onKeyDown}
        onInput={read}
        onCompositionEnd={() => {
          read()
          fill()
        }}
      />
    </>
  )
}
