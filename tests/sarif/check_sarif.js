// SPDX-License-Identifier: Apache-2.0
// Whether SARIF logs are what the published schema and GitHub's code scanning want.
// Usage: node check_sarif.js NODE_MODULES FILE... (the schema is part of the npm package @microsoft/jest-sarif)
'use strict';
const fs = require('fs');
const path = require('path');

const modules = process.argv[2];
const Ajv = require(path.resolve(modules, 'ajv'));
const schemas = path.join(modules, '@microsoft', 'jest-sarif', 'lib', 'schemas');
const ajv = new Ajv({ schemaId: 'auto', allErrors: true, format: 'full', logger: false });
ajv.addMetaSchema(require(path.resolve(modules, 'ajv/lib/refs/json-schema-draft-04.json')));
const validate = ajv.compile(JSON.parse(fs.readFileSync(path.join(schemas, 'sarif-2.1.0-rtm.5.json'), 'utf8')));

// GitHub, "SARIF support for code scanning": what it requires, and the limits above which it drops or refuses.
const limits = { results: 25000, rules: 25000, extensions: 100, locations: 1000, tags: 20, description: 1024 };

function mistakesOfRule(rule) {
  const mistakes = [];
  for (const key of ['shortDescription', 'fullDescription']) {
    const text = rule[key] && rule[key].text;
    if (!text) mistakes.push(`rule ${rule.id} has no ${key}`);
    else if ([...text].length > limits.description) mistakes.push(`rule ${rule.id}: ${key} is too long`);
  }
  if (!rule.help || !rule.help.text || !rule.help.markdown) mistakes.push(`rule ${rule.id} has no help`);
  const properties = rule.properties || {};
  if ('security-severity' in properties) mistakes.push(`rule ${rule.id} is no matter of security`);
  if ((properties.tags || []).length > limits.tags) mistakes.push(`rule ${rule.id} has too many tags`);
  return mistakes;
}

function mistakesOfResult(result, rules) {
  const mistakes = [];
  if (!rules.has(result.ruleId)) mistakes.push(`a result of the unknown rule ${result.ruleId}`);
  if (!result.message || !result.message.text) mistakes.push('a result without a message');
  const places = result.locations || [];
  if (places.length === 0 || places.length > limits.locations) mistakes.push(`${places.length} locations`);
  for (const place of places) {
    const physical = place.physicalLocation || {};
    if (!physical.artifactLocation || !physical.artifactLocation.uri) mistakes.push('a result without a file');
    if (!physical.region || !(physical.region.startLine >= 1)) mistakes.push('a result without a line');
  }
  return mistakes;
}

function mistakesOf(log) {
  const mistakes = validate(log) ? [] : validate.errors.map((error) => `${error.dataPath} ${error.message}`);
  for (const run of log.runs || []) {
    const rules = run.tool.driver.rules || [];
    if (rules.length > limits.rules || run.results.length > limits.results) mistakes.push('too many rules or results');
    if ((run.tool.extensions || []).length > limits.extensions) mistakes.push('too many extensions');
    for (const rule of rules) mistakes.push(...mistakesOfRule(rule));
    const ids = new Set(rules.map((rule) => rule.id));
    if (ids.size < rules.length) mistakes.push('a rule stands twice');
    for (const result of run.results) mistakes.push(...mistakesOfResult(result, ids));
  }
  return mistakes;
}

let failures = 0;
let results = 0;
for (const file of process.argv.slice(3)) {
  let mistakes;
  try {
    const log = JSON.parse(fs.readFileSync(file, 'utf8'));
    mistakes = mistakesOf(log);
    for (const run of log.runs) results += run.results.length;
  } catch (error) {
    mistakes = [String(error)];
  }
  for (const mistake of mistakes.slice(0, 5)) console.log(`FAILED: ${file}: ${mistake}`);
  failures += mistakes.length;
}
console.log(`${process.argv.length - 3} logs with ${results} results, ${failures} mistakes`);
process.exit(failures === 0 && results > 0 ? 0 : 1);
