//! The unit tests of `src`, by the paths of their files: `num::exact::the_longest_product_fits` is
//! a function of the module `tests` in `src/num/exact.rs`.
//!
//! The crate compiles the functions with its feature `internals`, once for all packages of tests;
//! this list makes tests of them. A test of `rooms` fails if one is not listed.

use boxwood::tests;

/// Declares a test for each function of a tree of modules.
///
/// A module contains either modules or tests.
macro_rules! units {
    ($($(#[$gate:meta])* $module:ident { $($inner:tt)* })+) => {
        $($(#[$gate])* mod $module {
            // A feature may leave out all tests of a module.
            #[allow(unused_imports)]
            use super::tests::$module as tests;

            units! { $($inner)* }
        })+
    };
    ($($test:ident)+) => {
        $(#[test]
        fn $test() {
            tests::$test();
        })+
    };
}

units! {
    accuracy {
        cases {
            directions_are_unit_and_differ
        }
        lines {
            no_triangle_that_a_line_crosses_is_passed_over
        }
    }
    broad_phase {
        aabb_list {
            any_number_of_boxes_as_one_by_one
            lower_bounds_are_below_distances_and_the_nearest_are_kept
        }
    }
    brush {
        crowd_grid {
            finds_what_all_walkers_tested_find_after_any_moves
        }
    }
    draw {
        lines {
            a_box_has_four_edges_along_each_axis
            an_aligned_box_is_drawn_like_the_oriented_one_and_an_empty_one_is_not
            a_tree_is_drawn_where_its_pose_puts_it
        }
    }
    fit {
        box_frame {
            holds_its_points_and_is_tight
            a_single_point_is_a_box_without_size
        }
        covariance {
            finds_the_axes_of_a_turned_cloud
            no_spread_gives_the_coordinate_axes
        }
        eigen {
            every_level_finds_the_same_axes
            lanes_do_not_mix
            eigenvectors_keep_their_direction_and_the_widest_comes_first
        }
        refined {
            finds_the_box_its_points_are_the_corners_of
            points_without_a_plane_leave_the_axes_alone
        }
    }
    hull {
        corners {
            every_level_finds_the_first_of_the_farthest_corners
        }
        gjk {
            distances_of_points_are_upper_bounds_and_close
            separated_hulls_are_further_than_the_margin
        }
    }
    load {
        baked {
            record {
                warning_indices_are_pinned
                warnings_of_a_later_boxwood_are_refused
            }
        }
        gltf {
            accessor {
                integers_are_normalised_as_the_specification_says
            }
            cut {
                pieces_fill_closed_meshes_and_belong_to_the_greatest_weight
                a_triangle_of_three_joints_is_cut_where_two_are_equal
                a_tie_goes_to_the_lower_joint_and_cuts_nothing
            }
            decompose {
                rebuilds_the_matrix_even_mirrored
                a_matrix_that_shears_is_two_transforms
                says_when_it_can_not
            }
            geometry {
                equal_corners_are_one_vertex
            }
            names {
                taken_names_get_a_number
            }
            primitives {
                strips_and_fans_become_triangles_that_face_one_way
            }
            uri {
                base64_of_the_standard_vectors
                uris_are_data_or_relative_or_refused
            }
            weights {
                the_largest_sum_wins_and_ties_go_to_the_first_joint
            }
        }
        map {
            layers {
                ways_up
            }
            plane {
                faces_of_one_plane_have_the_same_bits
                axes_change_places_and_no_bit
                no_plane_without_three_points
            }
            read {
                escaped_quotes_are_told_from_paths_that_end_with_a_backslash
                lines_of_brushes
            }
        }
        meshes {
            polygon {
                concave_outlines_keep_area_and_sides
                corners_in_a_line_stay_corners
                holes_of_either_winding_are_left_open
                crossing_outlines_say_so
            }
            stl {
                text_and_binary_say_the_same_whatever_the_header
                lines_are_as_long_as_the_writer_wants
                long_lines_are_refused_by_number_and_beginning
                what_is_cut_or_wrong_is_refused
            }
        }
        mjcf {
            fit {
                a_box_is_fitted_by_itself_wherever_it_is
                shells_have_their_own_moments
                meshes_without_volume_are_refused
            }
            hull {
                corners_are_those_of_the_hull_of_all_points
                more_points_than_a_hull_takes_are_reduced
                thin_and_flat_points_keep_every_corner
            }
            msh {
                vertices_and_faces_are_read_and_normals_skipped
                damage_is_refused
            }
        }
        urdf {
            encoding {
                text_is_decoded_as_its_mark_or_its_declaration_says
                prefixes_without_a_declaration_are_declared
            }
            geometry {
                shapes_are_counted_up_to_the_limit_of_a_robot
            }
            tessellation {
                the_hull_of_a_cylinder_contains_it_and_is_half_a_percent_larger
                the_hull_of_a_sphere_contains_it_and_is_two_percent_larger
                a_box_is_itself
            }
        }
        vocabulary {
            table {
                words_are_used_harmless_or_unknown
            }
        }
        weld {
            what_rounds_alike_is_one_vertex
        }
    }
    model {
        batch {
            volumes {
                balls_and_capsules_contain_their_parts
            }
        }
        self_broad_phase {
            tested_pairs_and_their_boxes_as_one_by_one
        }
        skin_surface {
            distances_are_those_outside_a_cube
            holes_are_closed_in_every_pose
            a_moved_pose_moves_the_surface
        }
    }
    motion {
        clip {
            a_late_start_holds_the_first_key
            a_clip_of_zero_length_is_one_frame
            joints_without_a_track_rest
            refuses_times_and_tracks_that_mean_nothing
            a_warm_buffer_keeps_its_storage
        }
        clips {
            clips_are_found_by_name_and_by_index
            one_name_is_one_clip
            indexing_by_an_unknown_name_panics
        }
        lane_kinematics {
            points_are_within_their_bounds_at_every_level
            sines_and_cosines_are_within_their_bound
            rows_beyond_the_bounds_are_named
            mechanisms_without_a_useful_bound_are_refused
        }
        mechanism {
            refuses_what_is_no_tree_or_no_number
            limits_are_within_in_either_precision
            long_chains_keep_unit_rotations_and_their_storage
        }
        sampling {
            times_fall_on_keys_or_between_them
            slerp_turns_evenly_and_takes_the_short_way
            hermite_is_the_cubic_it_was_made_from
            no_direction_falls_back
        }
        skeleton {
            origins_agree_with_products_of_matrices_for_any_scale
            rotation_is_that_of_the_matrix_when_scale_is_uniform
            below_a_mirror_the_pose_and_the_mirror_are_the_matrix
            poses_of_rest_transforms_are_the_rest_poses
            long_chains_keep_unit_rotations
            wrong_counts_and_values_change_nothing
            refuses_what_is_not_a_tree_in_order
        }
        track {
            step_holds_and_linear_slopes
            spline_uses_the_tangents_between_its_keys
            flipped_signs_take_the_short_way
            splines_of_rotations_are_normalised_even_through_zero
            refuses_bad_keys
        }
    }
    narrow_phase {
        best_first {
            the_least_value_of_least_key_is_found_and_few_are_evaluated
        }
    }
    num {
        counting_sort {
            equals_keep_their_order
            pairs_ascend
        }
        exact {
            keeps_what_doubles_lose
            binomial_formula_holds_exactly
            agrees_with_long_integers
            the_longest_product_fits
            long_numbers_use_the_room_of_those_that_are_no_more
        }
        linear {
            rotation_agrees_with_nalgebra_for_any_length
            products_agree_with_each_other
        }
        outward {
            exact_sums_stay_and_others_go_outward
        }
        scaling {
            no_product_is_further_off_than_stated
            powers_of_two_are_told_from_others
            factors_and_products_out_of_range_are_refused
        }
        sorting {
            orders_are_those_of_a_stable_sort
        }
        vectors {
            short_records_are_transposed_at_every_level
            maxima_of_lanes_are_those_of_numbers_at_every_level
        }
    }
    pair {
        convex {
            fine_simplex {
                the_nearest_point_proves_itself_where_plain_precision_does_not
            }
            gjk {
                directions_alone_find_what_simplices_find
                directions_alone_see_what_is_common
                verdicts_are_those_of_the_search
            }
            penetration {
                bodies_touch_after_motions_within_their_depth
                the_depth_of_boxes_is_that_of_their_faces
            }
        }
        obb_distance {
            lanes_give_the_bits_of_one_after_another
            a_way_that_is_sure_is_the_shortest_of_all_edges
            decide_agrees_where_a_common_point_is_found_first
        }
        rounded {
            crossing {
                the_segment_is_what_both_cuts_share
                an_edge_in_the_plane_counts_half_and_a_corner_not_at_all
                one_plane_degenerate_triangles_and_huge_numbers_end_in_an_answer
            }
            crossing_batch {
                batches_give_the_bits_of_one_pair_after_another
            }
            signs {
                signs_are_those_of_long_arithmetic
                tiny_and_huge_numbers_are_out_of_range
            }
        }
    }
    planar {
        contact {
            rectangles_need_four_axes_and_with_a_triangle_five
        }
    }
    sat {
        box_gaps {
            bounds_are_never_greater_than_the_distance_and_often_close
            bounds_of_oriented_boxes_are_never_greater_than_the_distance
        }
        eight_boxes {
            one_box_is_told_as_the_first_of_two
        }
        eight_triangles {
            a_triangle_beside_a_line_remains_within_the_bound_and_is_dropped_beyond
            a_triangle_beside_a_box_remains_within_the_bounds_and_is_dropped_beyond
            sizes_without_numbers_in_single_precision_leave_all
        }
        group_pairs {
            nothing_that_touches_is_left_out_and_every_level_says_the_same
            boxes_around_boxes_leave_out_nothing
            earliest_pairs_change_places_as_if_all_were_listed
            degenerate_triangles_are_let_through
        }
        least_overlap_of_one {
            axes_across_lanes_give_the_bits_of_one_after_another
            axes_that_tie_are_taken_in_their_order
            squares_that_vanish_tie
        }
        oriented_slabs {
            nothing_that_touches_is_left_out_and_little_else_is_let_through
        }
        prefilter {
            #[cfg(feature = "simd")]
            single {
                what_it_tells_is_what_the_test_in_double_precision_says
            }
        }
    }
    scene {
        filter {
            part_set {
                holds_near_and_far_parts
                names_its_only_part
            }
        }
        motion {
            path {
                bounds_of_ends_are_hardly_above_those_of_paths
                no_point_accelerates_beyond_its_bound
            }
        }
        snapshot {
            buffers {
                only_what_has_changed_is_placed
                changes_of_characters_at_rest_are_placed
                what_is_worked_out_of_all_stays_while_nothing_changes
                the_tree_over_those_at_rest_stays_while_others_move
            }
        }
        state {
            stamps {
                no_stamp_is_given_twice
            }
        }
        volumes {
            no_level_passes_over_a_box_that_a_ray_grazes
            wide_nodes_pass_over_no_box_that_a_ray_enters
            what_single_precision_has_no_numbers_for_is_met
            a_ray_through_a_corner_of_a_part_meets_it
            an_oriented_box_is_spared_only_where_it_cuts_nothing
            every_triangle_that_a_ray_hits_remains
            a_ray_that_surely_passes_through_a_triangle_hits_its_boxes
            every_triangle_that_a_box_overlaps_remains
            no_ball_sticks_out_of_what_holds_it
            a_ball_that_touches_the_border_of_a_part_is_in_it
        }
    }
    shape {
        plane_frame {
            a_sliver_lies_in_its_plane
        }
        pose {
            the_sufficient_test_is_right_at_its_very_edge
            the_sufficient_test_rejects_numbers_out_of_range_and_nan
        }
        support_table {
            the_farthest_corner_is_that_of_all
            only_plain_numbers_have_a_table
        }
        topology {
            a_tetrahedron_is_closed_however_its_corners_are_repeated
            holes_are_named_and_capped
        }
        triangle_frame {
            axes_are_at_right_angles_whatever_the_height
            the_triangle_of_issue_53_has_straight_axes
            corners_on_one_line_have_no_frame
        }
        wide_triangle {
            distance_to_face_edge_and_corner
            the_inside_of_a_needle_counts
            degenerate_triangles_are_segments_and_points
        }
    }
    tree {
        bound {
            cells {
                every_level_finds_the_bound_of_one_primitive_and_corner_at_a_time
            }
            corners {
                every_level_finds_the_same_bounds
            }
            prepared {
                as_far_as_the_triangle_says
                needles_and_specks_are_left_to_the_triangle
            }
        }
        build {
            boxes {
                every_level_finds_the_same_boxes
            }
            cluster {
                those_that_chose_each_other_merge
                a_long_chain_is_merged_along_its_length
            }
            split {
                every_level_finds_the_same_heights
                leaves_are_filled_as_near_to_the_middle_as_may_be
            }
        }
    }
}
