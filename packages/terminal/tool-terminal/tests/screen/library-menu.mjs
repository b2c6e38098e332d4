// A menu of a well-known prompt library. https://www.npmjs.com/package/prompts
import prompts from 'prompts'

const choices = ['red', 'green', 'blue'].map((title) => ({ title, value: title }))
const { colour } = await prompts({ type: 'select', name: 'colour', message: 'Colour?', choices })
console.log(`picked: ${colour}`)
