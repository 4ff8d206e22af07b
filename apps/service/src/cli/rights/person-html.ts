import { isRawJSON } from '@caregate/data-store';

type Members = Readonly<Record<string, unknown>>;

const STYLE = `
body { font: 11pt/1.4 sans-serif; margin: 2rem auto; max-width: 50rem; padding: 0 1rem; overflow-wrap: anywhere; }
h2 { border-bottom: 1px solid; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #ccc; padding: 0.2rem 0.5rem 0.2rem 0; text-align: start; vertical-align: top; }
th { font-weight: normal; color: #555; width: 14rem; }
section { border-inline-start: 3px solid #ccc; margin: 0.5rem 0; padding-inline-start: 0.8rem; }
@page { margin: 18mm; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } tr { break-inside: avoid; } }`;

const SECTIONS: Readonly<Record<string, string>> = {
  user: 'Person',
  user_infos: 'Contact details',
  insurances: 'Insurance',
  orders: 'Lab orders and results',
  mindfulness_minutes: 'Mindfulness minutes',
  waiting_messages: 'Laboratory messages that wait for their patient',
  search: 'What the search knows',
  emergency_accesses: 'Emergency accesses',
  read_by: 'Who was shown any of it',
};

/**
 * Returns one HTML page with everything from `describePerson`, for a browser to show and print. It loads no
 * resources.
 */
export function renderPersonHtml(person: Members): string {
  const user = toMembers(person['user']);
  const infos: unknown = person['user_infos'];
  const info = toMembers(Array.isArray(infos) ? infos.at(-1) : undefined);
  const { first_name: first, last_name: last, dob } = toMembers(info['info']);
  const names = [first, last].filter((part) => typeof part === 'string').join(' ');
  const id = user['client_user_id'];
  const name = names || (typeof id === 'string' ? id : 'a patient');
  const patient = {
    Name: name,
    'Date of birth': dob ?? toMembers(user['fallback_birth_date'])['value'],
    'User ID': person['user_id'],
    'Your ID': id,
    Exported: person['exported_at'],
  };
  const sections = Object.entries(SECTIONS).map(
    ([member, title]) => `<h2>${title}</h2>\n${renderBlock(person[member])}`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Patient data</title>
<style>${STYLE}
</style>
</head>
<body>
<h1 dir="auto">All that is stored of ${escape(name)}</h1>
${renderBlock(patient)}
${sections.join('\n')}
</body>
</html>
`;
}

function toMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

/** Leaves out members without a value. */
function renderBlock(value: unknown): string {
  if (isEmpty(value)) {
    return '<p>None.</p>';
  }
  if (Array.isArray(value)) {
    return value.map((one) => `<section>${renderBlock(one)}</section>`).join('');
  }
  if (typeof value !== 'object' || isRawJSON(value)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `<span dir="auto">${escape(text)}</span>`;
  }
  const rows = Object.entries(value as Members)
    .filter(([, one]) => !isEmpty(one))
    .map(([name, one]) => {
      const label = escape(name.replaceAll('_', ' '));
      return `<tr><th scope="row">${label}</th><td>${renderBlock(one)}</td></tr>`;
    });
  return `<table>${rows.join('')}</table>`;
}

function isEmpty(value: unknown): boolean {
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? Object.keys(value).length === 0 : value === null || value === undefined;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/gu, (sign) => `&#${sign.codePointAt(0)};`);
}
