// The types of `lodge` are in plugins/sdk/page.ts.
const panel = globalThis.lodge

const WORDS = {
  en: {
    what: 'What is there to do?',
    add: 'Add task',
    none: 'There is nothing to do.',
    remove: (text) => `Remove ${text}`,
    removeShort: 'Remove',
  },
  de: {
    what: 'Was ist zu tun?',
    add: 'Aufgabe hinzufügen',
    none: 'Es ist nichts zu tun.',
    remove: (text) => `${text} entfernen`,
    removeShort: 'Entfernen',
  },
}

const part = (id) => document.getElementById(id)
const words = () => WORDS[panel.context.language] ?? WORDS.en

function element(name, fields, ...children) {
  const made = Object.assign(document.createElement(name), fields)
  made.append(...children)
  return made
}

function rowOf(task, mayChange) {
  const box = element('input', { type: 'checkbox', checked: task.done, disabled: !mayChange })
  box.addEventListener('change', () => change('mark', { id: task.id, done: box.checked }))
  const text = element('span', { textContent: task.text, className: task.done ? 'done' : '' })
  const row = element('li', {}, element('label', {}, box, text))
  if (mayChange) {
    const remove = element('button', {
      type: 'button',
      className: 'quiet',
      textContent: words().removeShort,
      ariaLabel: words().remove(task.text),
    })
    remove.addEventListener('click', () => change('remove', { id: task.id }))
    row.append(remove)
  }
  return row
}

function show({ tasks, mayChange }) {
  part('new').hidden = !mayChange
  part('said').textContent = tasks.length === 0 ? words().none : ''
  part('tasks').replaceChildren(...tasks.map((task) => rowOf(task, mayChange)))
}

async function change(method, payload) {
  try {
    show(await panel.call(method, payload))
  } catch (error) {
    panel.toast(error.message, 'err')
    await list()
  }
}

async function list() {
  try {
    show(await panel.call('list'))
  } catch (error) {
    part('said').textContent = error.message
  }
}

async function add() {
  const field = part('text')
  const text = field.value.trim()
  if (text === '') return field.focus()
  field.value = ''
  await change('add', { text })
  field.focus()
}

// A sandboxed frame like this one cannot submit forms.
part('add').addEventListener('click', add)
part('text').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return
  event.preventDefault()
  void add()
})

panel.ready.then(() => {
  part('text').placeholder = words().what
  part('text').ariaLabel = words().what
  part('add').textContent = words().add
  return list()
})
