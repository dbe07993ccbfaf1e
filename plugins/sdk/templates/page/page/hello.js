// The types of `lodge` are in plugins/sdk/page.ts.
const panel = globalThis.lodge

async function greet() {
  const { text } = await panel.call('greet', { language: panel.context.language })
  document.getElementById('said').textContent = text
}

document.getElementById('again').addEventListener('click', greet)
panel.ready.then(greet)
