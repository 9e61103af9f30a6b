// Prints how many specs of a JSON report passed and failed. Appends the name and the first error line of each failed
// spec to a file.
import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [reportFile, failuresFile] = process.argv.slice(2)
const report = () => {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] }
  }
}
const firstLine = (text = '') => text.split('\n')[0].slice(0, 300)
const { numPassedTests, numFailedTests, testResults } = report()
for (const { name, status, message, assertionResults } of testResults) {
  const failed = assertionResults.filter((spec) => spec.status === 'failed')
  const file = relative(process.cwd(), name)
  const lines = failed.map((spec) => `  ${file}: ${spec.fullName}: ${firstLine(spec.failureMessages[0])}`)
  if (status === 'failed' && !failed.length) lines.push(`  ${file}: ${firstLine(message)}`)
  if (lines.length) appendFileSync(failuresFile, `${lines.join('\n')}\n`)
}
console.log(numPassedTests, numFailedTests)
