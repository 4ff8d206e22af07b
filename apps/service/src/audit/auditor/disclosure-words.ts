import {
  PRINT_LANGUAGES,
  type BreakGlassReason,
  type DeskDocument,
  type DeskEventKind,
  type PrintLanguage,
} from '@caregate/domain';
import type { DataCategory } from '../../operations/operation-row.ts';
import type { Role } from '../../operations/roles.ts';

export const DISCLOSURE_LANGUAGES: readonly PrintLanguage[] = PRINT_LANGUAGES;

/** The words of an accounting of disclosures in one language. */
export interface DisclosureWords {
  readonly direction: 'ltr' | 'rtl';
  readonly title: string;
  readonly notice: string;
  readonly user: string;
  readonly range: string;
  readonly wholeRange: string;
  readonly count: string;
  readonly none: string;
  /** Where the document is not all. */
  readonly cutOff: string;
  readonly columns: readonly [when: string, who: string, what: string, why: string];
  readonly categories: Readonly<Record<DataCategory, string>>;
  readonly documents: Readonly<Record<DeskDocument, string>>;
  readonly ways: Readonly<Record<'read' | 'listed' | DeskEventKind, string>>;
  readonly reasons: Readonly<Record<BreakGlassReason, string>>;
  readonly roles: Readonly<Record<Role, string>>;
  readonly emergency: string;
  readonly byRole: string;
  readonly masked: string;
  readonly pages: string;
  readonly copies: string;
  readonly key: string;
  readonly unnamed: string;
  readonly desk: string;
  readonly record: string;
  readonly printedBy: string;
  /** Around the two numbers. */
  readonly page: readonly [before: string, between: string, after: string];
}

export const DISCLOSURE_WORDS: Readonly<Record<PrintLanguage, DisclosureWords>> = {
  en: {
    direction: 'ltr',
    title: 'Accounting of disclosures',
    notice: 'Every answer of the service that showed data of this person, newest first.',
    user: 'User id',
    range: 'Period',
    wholeRange: 'All that is recorded',
    count: 'Disclosures',
    none: 'No disclosures are recorded in this period.',
    cutOff: 'This document is not complete: earlier disclosures follow. Print a shorter period.',
    columns: ['When', 'Who', 'What', 'Why'],
    categories: {
      user: 'Personal record',
      insurance: 'Insurance',
      lab_result: 'Lab result',
      timeseries: 'Activity data',
      access: 'Emergency access to this person',
      audit: 'Audit record',
    },
    documents: {
      insurance: 'Insurance',
      lab_report: 'Lab report',
      activity: 'Activity data',
      label: 'Label',
      disclosures: 'Accounting of disclosures',
      comparison: 'Comparison of lab results',
      screen: 'Screen',
    },
    ways: {
      read: 'shown',
      listed: 'shown in a list with others',
      print: 'printed',
      copy: 'copied to the clipboard',
      save: 'saved as a file',
      export: 'exported',
    },
    reasons: {
      emergency_treatment: 'Emergency treatment',
      patient_unable_to_consent: 'Patient unable to consent',
      covering_for_colleague: 'Covering for a colleague',
      threat_to_health_or_safety: 'Threat to health or safety',
      other: 'Other reason',
    },
    roles: {
      front_desk: 'Front desk',
      clinician: 'Clinician',
      billing: 'Billing',
      auditor: 'Auditor',
      admin: 'Administrator',
      integration: 'Integration',
    },
    emergency: 'Emergency access',
    byRole: 'Permitted by the role',
    masked: 'fewer fields',
    pages: 'pages',
    copies: 'copies',
    key: 'key',
    unnamed: 'No name',
    desk: 'Desk',
    record: 'Audit record',
    printedBy: 'Printed by',
    page: ['Page ', ' of ', ''],
  },
  es: {
    direction: 'ltr',
    title: 'Relación de divulgaciones',
    notice:
      'Todas las respuestas del servicio que mostraron datos de esta persona, la más reciente primero.',
    user: 'Id de usuario',
    range: 'Periodo',
    wholeRange: 'Todo lo registrado',
    count: 'Divulgaciones',
    none: 'No consta ninguna divulgación en este periodo.',
    cutOff:
      'Este documento no está completo: hay divulgaciones anteriores. Imprima un periodo más corto.',
    columns: ['Cuándo', 'Quién', 'Qué', 'Por qué'],
    categories: {
      user: 'Ficha personal',
      insurance: 'Seguro',
      lab_result: 'Resultado de laboratorio',
      timeseries: 'Datos de actividad',
      access: 'Acceso de emergencia a esta persona',
      audit: 'Registro de auditoría',
    },
    documents: {
      insurance: 'Seguro',
      lab_report: 'Informe de laboratorio',
      activity: 'Datos de actividad',
      label: 'Etiqueta',
      disclosures: 'Relación de divulgaciones',
      comparison: 'Comparación de resultados de laboratorio',
      screen: 'Pantalla',
    },
    ways: {
      read: 'mostrado',
      listed: 'mostrado en una lista con otras personas',
      print: 'impreso',
      copy: 'copiado al portapapeles',
      save: 'guardado como archivo',
      export: 'exportado',
    },
    reasons: {
      emergency_treatment: 'Tratamiento de emergencia',
      patient_unable_to_consent: 'El paciente no puede dar su consentimiento',
      covering_for_colleague: 'Sustitución de un colega',
      threat_to_health_or_safety: 'Amenaza para la salud o la seguridad',
      other: 'Otro motivo',
    },
    roles: {
      front_desk: 'Recepción',
      clinician: 'Personal clínico',
      billing: 'Facturación',
      auditor: 'Auditoría',
      admin: 'Administración',
      integration: 'Integración',
    },
    emergency: 'Acceso de emergencia',
    byRole: 'Permitido por el rol',
    masked: 'menos campos',
    pages: 'páginas',
    copies: 'copias',
    key: 'clave',
    unnamed: 'Sin nombre',
    desk: 'Puesto',
    record: 'Registro de auditoría',
    printedBy: 'Impreso por',
    page: ['Página ', ' de ', ''],
  },
  ar: {
    direction: 'rtl',
    title: 'بيان عمليات الإفصاح',
    notice: 'كل استجابة من الخدمة عرضت بيانات هذا الشخص، الأحدث أولًا.',
    user: 'معرّف المستخدم',
    range: 'الفترة',
    wholeRange: 'كل ما هو مسجّل',
    count: 'عمليات الإفصاح',
    none: 'لا توجد عمليات إفصاح مسجّلة في هذه الفترة.',
    cutOff: 'هذا المستند غير كامل: توجد عمليات إفصاح أقدم. اطبع فترة أقصر.',
    columns: ['متى', 'من', 'ماذا', 'لماذا'],
    categories: {
      user: 'السجل الشخصي',
      insurance: 'التأمين',
      lab_result: 'نتيجة المختبر',
      timeseries: 'بيانات النشاط',
      access: 'الوصول الطارئ إلى هذا الشخص',
      audit: 'سجل التدقيق',
    },
    documents: {
      insurance: 'التأمين',
      lab_report: 'تقرير المختبر',
      activity: 'بيانات النشاط',
      label: 'ملصق',
      disclosures: 'بيان عمليات الإفصاح',
      comparison: 'مقارنة نتائج المختبر',
      screen: 'الشاشة',
    },
    ways: {
      read: 'عُرض',
      listed: 'عُرض في قائمة مع آخرين',
      print: 'طُبع',
      copy: 'نُسخ إلى الحافظة',
      save: 'حُفظ كملف',
      export: 'صُدِّر',
    },
    reasons: {
      emergency_treatment: 'علاج طارئ',
      patient_unable_to_consent: 'المريض غير قادر على الموافقة',
      covering_for_colleague: 'النيابة عن زميل',
      threat_to_health_or_safety: 'خطر على الصحة أو السلامة',
      other: 'سبب آخر',
    },
    roles: {
      front_desk: 'الاستقبال',
      clinician: 'الطاقم السريري',
      billing: 'الفوترة',
      auditor: 'المدقق',
      admin: 'المسؤول',
      integration: 'التكامل',
    },
    emergency: 'وصول طارئ',
    byRole: 'مسموح به بحسب الدور',
    masked: 'حقول أقل',
    pages: 'صفحات',
    copies: 'نسخ',
    key: 'مفتاح',
    unnamed: 'بلا اسم',
    desk: 'المكتب',
    record: 'سجل التدقيق',
    printedBy: 'طبعه',
    page: ['صفحة ', ' من ', ''],
  },
};

/** The word for a value that newer versions may have more of. */
export function wordOf(words: Readonly<Record<string, string>>, value: string): string {
  return Object.hasOwn(words, value) ? (words[value] ?? value) : value;
}
