//! Plots as SVG.

use std::path::Path;

use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::prelude::*;

/// A plot of lines over a common axis.
pub struct Plot {
    pub title: String,
    /// A line of caption: the measured quantity.
    pub note: String,
    pub x: Axis,
    pub y: Axis,
    pub lines: Vec<Line>,
}

/// Label of an axis, and whether it is logarithmic.
pub struct Axis {
    name: &'static str,
    log: bool,
}

/// Points in the order in which lines join them.
pub struct Line {
    name: String,
    points: Vec<(f64, f64)>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const GREY: RGBColor = RGBColor(90, 90, 90);

/// Legend above the plot, where no line can be: entries a row, and width of an entry [pixels].
const ENTRIES: usize = 3;
const ENTRY: i32 = 270;
const ROW: i32 = 20;

const COLORS: [RGBColor; 6] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 140, 44),
    RGBColor(148, 103, 189),
    RGBColor(225, 117, 0),
    GREY,
];

impl Axis {
    pub fn linear(name: &'static str) -> Self {
        Axis { name, log: false }
    }

    pub fn log(name: &'static str) -> Self {
        Axis { name, log: true }
    }

    fn range(&self, values: impl Iterator<Item = f64>, from_zero: bool) -> std::ops::Range<f64> {
        let shown = values.filter(|v| v.is_finite() && (!self.log || *v > 0.0));
        let (low, high) = shown.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
        if low > high {
            return if self.log { 1.0..10.0 } else { 0.0..1.0 };
        }
        match self.log {
            true => low * 0.8..high * 1.25,
            false if from_zero => low.min(0.0) * 1.1..(high * 1.05).max(1e-9),
            false => low - 0.03 * (high - low)..high + 0.03 * (high - low) + 1e-9,
        }
    }

    /// Labelled values of a logarithmic axis: 1, 2, 5, 10 and so on, or powers of ten where the
    /// range is wide.
    fn ticks(&self, range: &std::ops::Range<f64>) -> Vec<f64> {
        if !self.log {
            return Vec::new();
        }
        let few: &[f64] = if range.end / range.start < 1e3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let [first, last] = [range.start, range.end].map(|end| end.log10().floor() as i32);
        let all = (first..=last).flat_map(|power| few.iter().map(move |d| d * 10f64.powi(power)));
        all.filter(|tick| range.contains(tick)).collect()
    }
}

impl Line {
    pub fn new(name: &str, points: Vec<(f64, f64)>) -> Self {
        Line { name: name.to_owned(), points }
    }
}

impl Plot {
    pub fn save(&self, path: &Path) -> Result<(), String> {
        let root: Area<'_> = SVGBackend::new(path, (900, 540)).into_drawing_area();
        self.draw(&root)
            .and_then(|()| root.present().map_err(|error| error.to_string()))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Saves two plots in one picture, the second below the first.
    pub fn save_below(plots: &[Plot; 2], path: &Path) -> Result<(), String> {
        let root: Area<'_> = SVGBackend::new(path, (900, 1080)).into_drawing_area();
        let (above, below) = root.split_vertically(540);
        let drawn = plots[0].draw(&above).and_then(|()| plots[1].draw(&below));
        drawn
            .and_then(|()| root.present().map_err(|error| error.to_string()))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    fn draw(&self, root: &Area<'_>) -> Result<(), String> {
        let said = |error: DrawingAreaErrorKind<_>| error.to_string();
        root.fill(&WHITE).map_err(said)?;
        let note = ("sans-serif", 14).into_font().color(&GREY);
        root.draw(&Text::new(self.note.clone(), (16, 516), note)).map_err(said)?;
        let below =
            root.margin(8, 0, 0, 0).titled(&self.title, ("sans-serif", 20)).map_err(said)?;
        let rows = self.lines.len().div_ceil(ENTRIES) as i32;
        let (legend, root) = below.split_vertically(rows * ROW + 4);
        self.legend(&legend)?;
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let x = self.x.range(points().map(|p| p.0), false);
        let y = self.y.range(points().map(|p| p.1), true);
        let (on_x, on_y) = (self.x.ticks(&x), self.y.ticks(&y));
        let mut builder = ChartBuilder::on(&root);
        builder.margin(12).margin_bottom(34).x_label_area_size(48).y_label_area_size(74);
        match (self.x.log, self.y.log) {
            (false, false) => self.fill(builder.build_cartesian_2d(x, y).map_err(said)?),
            (false, true) => {
                let y = y.log_scale().with_key_points(on_y);
                self.fill(builder.build_cartesian_2d(x, y).map_err(said)?)
            }
            (true, false) => {
                let x = x.log_scale().with_key_points(on_x);
                self.fill(builder.build_cartesian_2d(x, y).map_err(said)?)
            }
            (true, true) => {
                let x = x.log_scale().with_key_points(on_x);
                let y = y.log_scale().with_key_points(on_y);
                self.fill(builder.build_cartesian_2d(x, y).map_err(said)?)
            }
        }
    }

    fn legend(&self, area: &Area<'_>) -> Result<(), String> {
        let said = |error: DrawingAreaErrorKind<_>| error.to_string();
        for (index, (line, color)) in self.drawn().enumerate() {
            let left = 86 + ENTRY * (index % ENTRIES) as i32;
            let middle = ROW * (index / ENTRIES) as i32 + ROW / 2;
            let ends = [(left, middle), (left + 22, middle)];
            area.draw(&PathElement::new(ends, color.stroke_width(3))).map_err(said)?;
            let name = Text::new(line.name.clone(), (left + 30, middle - 6), ("sans-serif", 15));
            area.draw(&name).map_err(said)?;
        }
        Ok(())
    }

    /// Lines with their colours.
    fn drawn(&self) -> impl Iterator<Item = (&Line, RGBColor)> {
        self.lines.iter().zip(COLORS.into_iter().cycle())
    }

    fn fill<'c, B, X, Y>(
        &self,
        mut chart: ChartContext<'c, B, Cartesian2d<X, Y>>,
    ) -> Result<(), String>
    where
        B: DrawingBackend + 'c,
        X: Ranged<ValueType = f64> + ValueFormatter<f64>,
        Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let said = |error: DrawingAreaErrorKind<B::ErrorType>| error.to_string();
        chart
            .configure_mesh()
            .x_desc(self.x.name)
            .y_desc(self.y.name)
            .x_labels(14)
            .axis_desc_style(("sans-serif", 17))
            .label_style(("sans-serif", 15))
            .x_label_formatter(&|v| number(*v))
            .y_label_formatter(&|v| number(*v))
            .bold_line_style(RGBColor(225, 225, 225))
            .light_line_style(RGBColor(244, 244, 244))
            .max_light_lines(1)
            .draw()
            .map_err(said)?;
        for (line, color) in self.drawn() {
            let positive =
                |p: &&(f64, f64)| (!self.x.log || p.0 > 0.0) && (!self.y.log || p.1 > 0.0);
            let points: Vec<(f64, f64)> = line.points.iter().filter(positive).copied().collect();
            let series = LineSeries::new(points.clone(), color.stroke_width(2));
            chart.draw_series(series).map_err(said)?;
            let dots = points.into_iter().map(|p| Circle::new(p, 3, color.filled()));
            chart.draw_series(dots).map_err(said)?;
        }
        Ok(())
    }
}

fn number(value: f64) -> String {
    match value.abs() {
        v if v >= 1000.0 && v % 1000.0 == 0.0 => format!("{}k", value / 1000.0),
        v if v >= 10.0 => format!("{value:.0}"),
        v if v >= 1.0 => format!("{}", (value * 10.0).round() / 10.0),
        v if v < 1e-9 => "0".to_owned(),
        _ => format!("{}", (value * 1e4).round() / 1e4),
    }
}
