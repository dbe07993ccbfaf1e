import Keyboard from 'lucide-react/icons/keyboard'
import { type KeyboardEvent, type RefObject, useRef } from 'react'
import { IconButton } from '../../ui/buttons/button.tsx'
import type { MachineScreen } from './screen.ts'
import { editsOf, namedKey } from './touch-keys.ts'
import styles from './vm.module.css'

/** There is always something to take away: an empty field tells nothing of a Backspace. */
const FILL = ' '.repeat(64)

interface TouchKeyboardProps {
  screen: RefObject<MachineScreen | undefined>
  disabledBecause: string | undefined
}

/** Brings up the keyboard of a phone or a tablet, and passes on what is typed there. */
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
    // A field that is entered for the first time has its caret at the beginning.
    field.current.setSelectionRange(FILL.length, FILL.length)
  }
  return (
    <>
      <IconButton
        label="Keyboard of this device"
        size="small"
        disabledBecause={disabledBecause}
        onClick={() => field.current?.focus()}
      >
        <Keyboard />
      </IconButton>
      <textarea
        ref={field}
        className={styles.keys}
        aria-label="Keys for the machine"
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
