-- The views everyone queries; documented column by column in docs/columns.md.
-- stored_* are scans of the store's Parquet files (analytics/scan.py); run_list is the manifests.

CREATE OR REPLACE VIEW answers AS
SELECT * FROM stored_answers;

-- A score that is no number never reaches anyone: NaN sorts above every number, so it would pass every mark.
CREATE OR REPLACE VIEW verdicts AS
SELECT * REPLACE (CASE WHEN isfinite(score) THEN score END AS score) FROM stored_verdicts;

CREATE OR REPLACE VIEW runs AS
SELECT * FROM run_list;

CREATE OR REPLACE VIEW labels AS
SELECT * FROM stored_labels;

-- Why answers did not pass: failures and errors, without the skips and the passes.
CREATE OR REPLACE VIEW reasons AS
SELECT
    run_id, run_kind, run_at, app, app_version, model, prompt_version, index_version, record_id, question_id,
    stratum, answerable, "check", check_kind, check_version, outcome, coalesce(category, 'other') AS category,
    severity, weight, judge_model, rubric, rubric_version, reason, month
FROM stored_verdicts
WHERE outcome IN ('fail', 'error');

-- The verdicts of the newest run of each app and kind.
CREATE OR REPLACE VIEW latest AS
SELECT * REPLACE (CASE WHEN isfinite(score) THEN score END AS score) FROM stored_latest
WHERE run_id IN (SELECT run_id FROM run_list WHERE newest);
